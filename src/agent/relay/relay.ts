import { setTimeout as sleep } from 'node:timers/promises'
import { createGate } from '../../semaphore.ts'
import { type Line, MAX_LINE_BYTES, type Output, readLines } from './lines.ts'
import { findCancelledId, findIdOfBeginning, isSameId, readMessage } from './message.ts'
import { toTooLarge } from './own-answer.ts'
import type { Session } from './session.ts'

type RelayOptions = {
  /** The client's messages. */
  input: AsyncIterable<Uint8Array>
  output: Output
  session: Session
  /** Resolves when the relay must end at once. */
  ended: Promise<unknown>
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
export async function relay({ input, output, session, ended }: RelayOptions): Promise<void> {
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
