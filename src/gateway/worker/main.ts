import type { Params } from '../../jsonrpc.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { CallRequest, Failure, FromWorker, ToWorker, UpstreamRequest, UpstreamResult } from '../messages.ts'
import { type Progress, readProgress } from '../progress.ts'
import { createOpenRequests } from './open-requests.ts'
import type { Scrub } from './scrub.ts'
import { findMarks, toToolResult } from './tool-result.ts'
import type { RequestScope, Upstream } from './upstream.ts'
import { createUpstreams } from './upstreams.ts'

/**
 * An entry point of the executable: the worker thread that calls upstreams, so that nothing they send blocks the event
 * loop of the service.
 */
declare const self: Worker

/** Minimum time between two forwarded progress reports of a call. */
const PROGRESS_INTERVAL_MS = 1_000

/** `moved` are buffers of the message to transfer instead of copying. */
const post = (message: FromWorker, moved: ArrayBuffer[] = []) => self.postMessage(message, moved)

const requests = createOpenRequests()
const upstreams = createUpstreams((connectionId) => post({ kind: 'list-changed', connectionId }))

async function handleRequest(id: number, request: UpstreamRequest): Promise<void> {
  const { upstream, scrub } = upstreams.find(request.target)
  const scope = requests.open(id, request.target.accountId)
  try {
    const result = request.kind === 'call' ? await call(id, upstream, request, scope) : await list(upstream, scope)
    post({ kind: 'result', id, result })
    if (result.kind === 'list' || result.text !== undefined) requests.release(id)
  } catch (error) {
    const isUnknownTool = (error as { code?: unknown }).code === -32602
    const failure = await withoutInstructions(describeFailure(scrub, error))
    post({ kind: 'failure', id, failure, isUnknownTool, ...upstream.negotiated() })
    requests.release(id)
  }
}

async function call(
  id: number,
  upstream: Upstream,
  request: CallRequest,
  scope: RequestScope,
): Promise<UpstreamResult> {
  const { reservation } = scope
  const tool = {
    name: request.tool,
    schema: request.schema === undefined ? undefined : (JSON.parse(request.schema) as Params),
  }
  const onProgress = request.reportsProgress ? createProgressNotifier(id) : undefined
  const { answer, bytes } = await upstream.call(tool, JSON.parse(request.args) as Params, { ...scope, onProgress })
  reservation.collectGarbage()
  const { text, meta, isError } = await toToolResult(answer, request.markField)
  await reservation.reserve(text.length)
  return { kind: 'call', text: requests.keep(id, text) ? undefined : text, meta, isError, bytes }
}

/** Forwards the latest report, at most once per interval. */
function createProgressNotifier(id: number): (report: Params) => void {
  let latest: Progress | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const notify = () => {
    timer = undefined
    if (latest === undefined || !requests.isOpen(id)) return
    post({ kind: 'progress', id, progress: latest })
    latest = undefined
    timer = setTimeout(notify, PROGRESS_INTERVAL_MS)
  }
  return (report) => {
    latest = readProgress(report) ?? latest
    if (timer === undefined) notify()
  }
}

/** Removes an error text that resembles instructions, since models read it too. */
async function withoutInstructions(failure: Failure): Promise<Failure> {
  const marks = failure.kind === 'protocol' ? await findMarks([failure], undefined) : undefined
  if (marks?.['memsvc/guard'] === undefined) return failure
  return {
    ...failure,
    text: 'it answered with an error whose text is left out, since it reads like instructions to an assistant',
  }
}

function postChunk(id: number): void {
  const chunk = requests.pull(id)
  post({ kind: 'chunk', id, chunk }, chunk === undefined ? [] : [chunk.buffer])
}

self.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
  switch (message.kind) {
    case 'configure':
      return upstreams.configure(message.allow)
    case 'request':
      return void handleRequest(message.id, message.request)
    case 'pull':
      return postChunk(message.id)
    case 'release':
      return requests.release(message.id)
    case 'disconnect':
      return upstreams.disconnect(message.connectionId)
    case 'ping':
      return post({ kind: 'pong' })
    case 'close':
      return void upstreams.close().then(() => process.exit(0))
  }
}

async function list(upstream: Upstream, scope: RequestScope): Promise<UpstreamResult> {
  const { tools, unpicked, skipped, ttlMs } = await upstream.list(scope)
  return { kind: 'list', tools, unpicked, skipped, ttlMs, ...upstream.negotiated() }
}

/**
 * Describes an error of a request to an upstream. The text contains nothing of the integration's address and headers,
 * even if the upstream's does.
 */
function describeFailure(scrub: Scrub, error: unknown): Failure {
  if (error instanceof OutboundError) return { kind: error.code, text: error.message }
  const {
    name,
    message = '',
    status,
    code,
  } = error as { name?: string; message?: string; status?: number; code?: unknown }
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED')
    return describeFailure(scrub, new OutboundError('broken'))
  if (status === 401 || status === 403 || name === 'UnauthorizedError')
    return { kind: 'credentials', text: 'it does not accept its credentials' }
  if (typeof status === 'number') return { kind: 'status', text: `it answered with HTTP status ${status}` }
  if (typeof code === 'number')
    return { kind: 'protocol', text: `it answered with error ${code}: ${scrub(String(message))}` }
  return { kind: 'protocol', text: 'its answer is not what the protocol asks for' }
}
