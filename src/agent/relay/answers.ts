import { createParser } from 'eventsource-parser'
import { ServiceError } from '../../errors.ts'
import { MAX_ANSWER_BYTES, readBytes, toBusy, toUnexpected } from '../answer.ts'
import { findMember, findMembers, findWholeObject, type Span, textOf } from './json-bytes.ts'
import { type ClientMessage, isSameId } from './message.ts'
import { isWorthWaiting } from './retry.ts'

type Passing = {
  /** Whether the message may be sent again although it may have been carried out. */
  repeatable: boolean
  /** Number of earlier attempts to send the message. */
  attempt: number
  watch: Watch
  /** Sends one line to the client. */
  pass: (line: Uint8Array) => Promise<void>
}

/** Maximum silence of an event stream; the service sends something at least every ten seconds. */
const MAX_SILENCE_MS = 300_000
const LISTEN = 'subscriptions/listen'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

/**
 * Forwards the content of an HTTP response: the messages of an event stream as they arrive, or the body as one message.
 * Anything after the JSON-RPC response is dropped: clients close the connection over a second one.
 *
 * @throws ServiceError if it contains no JSON-RPC response to a request.
 */
export async function passAnswers(message: ClientMessage, answer: Response, passing: Passing): Promise<void> {
  if (message.kind === 'notification' || message.kind === 'response') return await answer.body?.cancel()
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true && answer.status === 200
  if (isStream) return await passEvents(message, answer, passing)
  const bytes = await readBytes(answer)
  requireMessage(answer, bytes, passing)
  const line = toLine(message, bytes, answer.status)
  await passing.pass(line)
}

async function passEvents(message: ClientMessage, { body }: Response, { watch, pass }: Passing): Promise<void> {
  for await (const data of readEvents(watched(body, message, watch))) {
    if (findWholeObject(data) === undefined) throw broken()
    const isLast = isResponse(data)
    await pass(isLast ? toLine(message, data, 200) : withoutBreaks(data))
    if (isLast) return
  }
  if (message.kind === 'request') throw broken()
}

/**
 * The data of each event of a `text/event-stream`. An incomplete event at the end is dropped. @throws RangeError for an
 * event above 64 Mi characters.
 */
async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const events: string[] = []
  let endsInReturn = false
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ type, message }) => {
      if (type === 'max-buffer-size-exceeded') throw new RangeError(message)
    },
    maxBufferSize: MAX_ANSWER_BYTES,
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    const rest = endsInReturn && text.startsWith('\n') ? text.slice(1) : text
    // The parser would wait for what follows a CR, which also ends a line alone.
    endsInReturn = text.endsWith('\r')
    parser.feed(endsInReturn ? `${rest}\n` : rest)
    for (const data of events.splice(0)) yield Buffer.from(data)
  }
}

/** The chunks of a body; each extends the time limit. A subscription may be silent indefinitely. */
async function* watched(
  body: ReadableStream<Uint8Array> | null,
  { method }: ClientMessage,
  { extend }: Watch,
): AsyncGenerator<Uint8Array> {
  const left = method === LISTEN ? undefined : MAX_SILENCE_MS
  extend(left)
  for await (const chunk of body ?? []) {
    extend(left)
    yield chunk
  }
}

/** @throws ServiceError unless the body is a complete message that may be forwarded. */
function requireMessage(answer: Response, bytes: Uint8Array, { repeatable, attempt }: Passing): void {
  const { status, headers } = answer
  const isBusy = status === 429 || status === 503
  if (isBusy && isWorthWaiting(repeatable, toBusy(answer), attempt)) throw toBusy(answer)
  const object = findWholeObject(bytes)
  if (findMember(bytes, object, 'jsonrpc') !== undefined) return
  if (isBusy) throw toBusy(answer)
  const isCut =
    object === undefined && status === 200 && headers.get('content-type')?.startsWith('application/json') === true
  throw isCut ? broken() : toUnexpected(answer)
}

/**
 * The response as a line. A refusal by the HTTP layer, which has not read the message and so answers with the id null,
 * gets the id of the request.
 */
function toLine(message: ClientMessage, bytes: Uint8Array, status: number): Uint8Array {
  const id = findMember(bytes, findWholeObject(bytes), 'id')
  if (message.id === undefined || id === undefined || isSameId(textOf(bytes, id), message.id))
    return withoutBreaks(bytes)
  if (status < 400 || textOf(bytes, id) !== 'null')
    throw new ServiceError('unexpected', 'The service answered another request.', status)
  return withoutBreaks(withId(bytes, id, message.id))
}

function withId(bytes: Uint8Array, { start, end }: Span, id: string): Uint8Array {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(id), bytes.subarray(end)])
}

function isResponse(bytes: Uint8Array): boolean {
  const [method, result, error] = findMembers(bytes, findWholeObject(bytes), ['method', 'result', 'error'])
  return method === undefined && (result !== undefined || error !== undefined)
}

/** Removes raw line breaks, which are white space in JSON: within strings they are escaped. */
function withoutBreaks(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(LINE_FEED) && !bytes.includes(CARRIAGE_RETURN)) return bytes
  return bytes.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte))
}

function broken(): ServiceError {
  return new ServiceError('broken', 'The connection to the service broke before its answer was complete.')
}

type Watch = ReturnType<typeof createWatch>

/** Aborts an exchange at its time limit, or when its client cancels it. The signal's `reason` is a ServiceError. */
export function createWatch(client: AbortSignal, leftMs: number) {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => controller.abort(new ServiceError('cancelled', 'The request was cancelled.'))
  const extend = (left: number | undefined) => {
    clearTimeout(timer)
    const end = () => controller.abort(new ServiceError('timeout', 'The service did not answer in time.'))
    timer = left === undefined ? undefined : setTimeout(end, left)
  }
  if (client.aborted) cancel()
  client.addEventListener('abort', cancel, { once: true })
  extend(leftMs)
  return {
    signal: controller.signal,
    /** Sets the remaining time in milliseconds; undefined for no limit. */
    extend,
    /** Must be called when the exchange is over. */
    clear: () => {
      clearTimeout(timer)
      client.removeEventListener('abort', cancel)
    },
  }
}
