import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGate } from '../semaphore.ts'
import { type Environment, readStateDir } from './config.ts'
import { startSyncSupervisor } from './histories/sync/supervisor.ts'
import { createOutput, type Line, MAX_LINE_BYTES, type Output, readLines } from './relay/lines.ts'
import { findCancelledId, findIdOfBeginning, isSameId, readMessage } from './relay/message.ts'
import { toTooLarge } from './relay/own-answer.ts'
import { createSession, type Session } from './relay/session.ts'
import { createListCache } from './relay/tools-list.ts'
import { openServiceClient } from './service-client.ts'

export type AgentOptions = {
  environment: Environment
  /** What the client sends. */
  input: AsyncIterable<Uint8Array>
  /** Writes to the client; resolves when the bytes were written, rejects if the client has closed the pipe. */
  write: (bytes: Uint8Array) => Promise<void>
  /** Writes one line for the user at this machine. */
  report: (text: string) => void
  /** Resolves when the agent is to end. */
  ended: Promise<unknown>
  /** Milliseconds since 1970. */
  now: () => number
  /** The entry file of the worker thread that uploads session histories. */
  uploadWorker: URL
  /** Interval at which the list of tools is read again, and the one used while the service is unavailable. */
  intervalMs?: number
  awayIntervalMs?: number
}

const INTERVAL_MS = 60_000
const AWAY_INTERVAL_MS = 5_000

/**
 * The local agent: relays between a client and the service, also while settings, key or service are not usable.
 * Resolves within two seconds after it is told to end.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const {
    environment,
    input,
    write,
    report,
    ended,
    now,
    uploadWorker,
    intervalMs = INTERVAL_MS,
    awayIntervalMs = AWAY_INTERVAL_MS,
  } = options
  const client = openServiceClient(environment)
  const output = createOutput(write)
  const cache = createListCache(readStateDir(environment), client.identify)
  const machine = { environment, home: environment.HOME || homedir() }
  const sync = startSyncSupervisor({ machine, client, workerUrl: uploadWorker, now })
  const session = createSession({
    client,
    cache,
    output,
    report,
    readSyncReport: sync.report,
    now,
    intervalMs,
    awayIntervalMs,
  })
  await session.checkSettings()
  await relay(input, output, session, ended)
  await sync.stop()
}

/** Maximum number of concurrent requests to the service; further ones wait. */
const MAX_REQUESTS = 32
/** Number of unanswered messages from which on no more input is read. */
const MAX_MESSAGES = 1_024
/**
 * Number of messages between garbage collections, which take about 6 ms: with them the process stays below 60 MiB,
 * without them it grows to 80 within 20 000 calls.
 */
const COLLECT_EVERY = 125
/**
 * How long answers in progress are awaited after the client's last line, and by when the last line must have been
 * written.
 */
const GRACE_MS = 1_500
const END_MS = 1_800

/** A message in progress, with the JSON text of its id. */
type InFlight = { id: string | undefined; controller: AbortController; work: Promise<void> }

/**
 * Relays between a client and the service until the client's last line, until the client has closed the pipe, or until
 * `ended`; resolves within two seconds from then.
 */
async function relay(
  input: AsyncIterable<Uint8Array>,
  output: Output,
  session: Session,
  ended: Promise<unknown>,
): Promise<void> {
  const inFlight = new Set<InFlight>()
  const gate = createGate(MAX_REQUESTS)
  let handled = 0

  function release(entry: InFlight): void {
    inFlight.delete(entry)
    handled += 1
    if (handled % COLLECT_EVERY === 0) Bun.gc(true)
  }

  function take({ bytes, isCut }: Line): void {
    if (isCut) return void output.send(toTooLarge(findIdOfBeginning(bytes), MAX_LINE_BYTES))
    const message = readMessage(bytes)
    const cancelled = findCancelledId(message)
    for (const { id, controller } of inFlight) if (cancelled && id && isSameId(id, cancelled)) controller.abort()
    const controller = new AbortController()
    const work = gate(() => session.handle(message, controller.signal)).finally(() => release(entry))
    const entry: InFlight = { id: message.id, controller, work }
    inFlight.add(entry)
  }

  async function takeAll(): Promise<'last line'> {
    for await (const line of readLines(input)) {
      take(line)
      if (inFlight.size >= MAX_MESSAGES) await Promise.race([...inFlight].map(({ work }) => work))
    }
    return 'last line'
  }

  const answered = () => Promise.all([...inFlight].map(({ work }) => work))
  const reason = await Promise.race([takeAll(), ended, output.closed])
  const end = sleep(END_MS)
  if (reason === 'last line') await Promise.race([answered(), sleep(GRACE_MS)])
  for (const { controller } of inFlight) controller.abort()
  await Promise.race([Promise.all([output.drained(), session.stop()]), end])
}
