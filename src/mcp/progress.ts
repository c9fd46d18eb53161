import { beforeTimeout } from '../clock.ts'
import type { OnProgress, Progress } from '../gateway/progress.ts'
import { isObject, type ObjectText, type Params, type ResultText } from '../jsonrpc.ts'

/** The value by which a client matches progress reports to its call. */
type ProgressToken = string | number

/** A call that takes long enough to be answered as a stream: reports of its progress, then its result. */
export type LongCall = { token: ProgressToken; reports: Reports; result: Promise<ResultText> }

/** After which time a call is answered as a stream, and the longest silence on that stream, in milliseconds. */
export type ProgressTiming = { afterMs: number; everyMs: number }

/** Clients give up after 60 s without an answer or a progress report. */
export const PROGRESS_TIMING: ProgressTiming = { afterMs: 5_000, everyMs: 10_000 }

/** The latest report of a call's progress, until it is taken. */
type Reports = {
  add: OnProgress
  take: () => Progress | undefined
  /** Resolves when there is a report to take. */
  arrived: () => Promise<undefined>
}

const MAX_TOKEN_CHARACTERS = 1_024

/** The progress token of a request's params; undefined if it has none, or one that is too long to be repeated. */
export function findProgressToken({ _meta }: Params): ProgressToken | undefined {
  const token = isObject(_meta) ? _meta.progressToken : undefined
  const isText = typeof token === 'string' && token.length <= MAX_TOKEN_CHARACTERS
  return isText || Number.isSafeInteger(token) ? (token as ProgressToken) : undefined
}

/**
 * Runs a call. Returns its result if it ends before `afterMs`, otherwise the running call. Throws what the call throws
 * before that.
 */
export async function runWithProgress(
  token: ProgressToken,
  { afterMs }: ProgressTiming,
  call: (onProgress: OnProgress) => Promise<ResultText>,
): Promise<ResultText | LongCall> {
  const reports = createReports()
  const result = call(reports.add)
  const soon = await beforeTimeout(afterMs, result)
  return soon ?? { token, reports, result }
}

/**
 * The messages of the stream that answers a long call: progress reports from the upstream or, while it sends none, from
 * this service, then the response. `response` must not reject. A client that reads slowly gets only the latest report.
 */
export async function* toMessages(
  { token, reports }: LongCall,
  { everyMs }: ProgressTiming,
  response: Promise<ObjectText>,
): AsyncGenerator<ObjectText, void> {
  const ended = response.then((text) => ({ text }))
  let last: Progress = { progress: 0 }
  for (;;) {
    last = nextProgress(last, reports.take())
    yield JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, ...last },
    })
    const done = await beforeTimeout(everyMs, ended, reports.arrived())
    if (done) return yield done.text
  }
}

/**
 * The smallest increment of the progress value, absolute and relative to the value, so that adding it changes any
 * number.
 */
const STEP = 0.001
const STEP_PART = 1e-9

/** The next report. The protocol requires the value to grow with each, whatever the upstream reports. */
function nextProgress(last: Progress, reported: Progress | undefined): Progress {
  const least = last.progress + Math.max(STEP, Math.abs(last.progress) * STEP_PART)
  const { total, ...next } = reported ?? last
  const progress = reported !== undefined && reported.progress > last.progress ? reported.progress : least
  return { ...next, progress, ...(total !== undefined && total >= progress && { total }) }
}

function createReports(): Reports {
  let latest: Progress | undefined
  let arrival = Promise.withResolvers<undefined>()
  return {
    add: (progress) => {
      latest = progress
      arrival.resolve(undefined)
    },
    take: () => {
      const taken = latest
      latest = undefined
      arrival = Promise.withResolvers()
      return taken
    },
    arrived: () => arrival.promise,
  }
}
