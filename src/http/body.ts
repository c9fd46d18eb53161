import { yieldIfDue } from '../cooperative.ts'
import { ProtocolError, Refusal, TooLarge } from '../errors.ts'
import { Code } from '../jsonrpc.ts'

const REPLACEMENT = '\u{fffd}'
/** The UTF-8 byte order mark, which decoding removes. */
const BYTE_ORDER_MARK_BYTES = 3
/** Time limit for receiving a body; 1 MiB at 300 kbit/s takes that long. */
const BODY_TIMEOUT_MS = 30_000
/** Maximum size of a body of a request without credentials. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384
const FIRST_CHUNK_BYTES = 4_096
/**
 * Bodies up to this size are parsed within a tenth of a millisecond, so no yield to the event loop is needed before.
 */
const QUICK_BODY_CHARACTERS = 1_024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body as text; a long one when it is its turn to be parsed, since many may arrive at once. Throws ProtocolError:
 * 413 above `limit` bytes, with or without Content-Length; 408 if it has not arrived after `timeoutMs`; 400 if it is
 * not UTF-8 or ends early.
 */
export async function readBody(request: Request, limit: number, timeoutMs = BODY_TIMEOUT_MS): Promise<string> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limit) throw tooLarge(limit)
  const text = await (announced === null
    ? withTimeout(timeoutMs, readChunks(request, limit)).then(decode, endedEarly)
    : withTimeout(timeoutMs, request.text()).then((text) => requireWhole(text, Number(announced)), endedEarly))
  if (text.length > QUICK_BODY_CHARACTERS) await yieldIfDue()
  return text
}

/** The body as bytes. Throws ProtocolError like `readBody`, except for UTF-8. */
export function readBytes(request: Request, limit: number, timeoutMs = BODY_TIMEOUT_MS): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > limit) return Promise.reject(tooLarge(limit))
  return withTimeout(timeoutMs, readChunks(request, limit)).catch(endedEarly)
}

/** The size of a body according to its Content-Length; `limit` if there is none. */
export function announcedSize(headers: Headers, limit: number): number {
  const announced = headers.get('content-length')
  return announced === null ? limit : Number(announced)
}

/** Rejects with 408 after `timeoutMs`. A body that has already arrived needs no timer. */
function withTimeout<T>(timeoutMs: number, body: Promise<T>): Promise<T> {
  if (Bun.peek.status(body) !== 'pending') return body
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs)
    const stop = () => clearTimeout(timer)
    body.then(stop, stop)
    body.then(resolve, reject)
  })
}

/**
 * Throws if the text differs from the body. `Request.text()` costs less than decoding bytes, but replaces invalid UTF-8
 * by U+FFFD; a text with that character is accepted only if it has as many bytes as announced. (A four-byte character
 * without its last byte has as many, and passes.)
 */
function requireWhole(text: string, announced: number): string {
  if (!text.includes(REPLACEMENT)) return text
  const bytes = Buffer.byteLength(text)
  if (bytes !== announced && bytes + BYTE_ORDER_MARK_BYTES !== announced) throw notUtf8()
  return text
}

function endedEarly(error: unknown): never {
  if (error instanceof ProtocolError) throw error
  throw new ProtocolError(Code.parseError, 'Parse error: the body ended early', 400)
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

function notUtf8(): ProtocolError {
  return new ProtocolError(Code.parseError, 'Parse error: the body is not UTF-8', 400)
}

/** Number of chunks after which other work gets a turn: they may all be there already. */
const CHUNKS_IN_A_ROW = 64

/** Reads a body of unknown size into one growing buffer, since it may arrive in a million chunks of one byte. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  let buffer = new Uint8Array(FIRST_CHUNK_BYTES)
  let length = 0
  let chunks = 0
  for await (const chunk of request.body ?? []) {
    chunks += 1
    if (chunks % CHUNKS_IN_A_ROW === 0) await yieldIfDue()
    const end = length + chunk.length
    if (end > limit) throw tooLarge(limit)
    if (end > buffer.length) {
      const larger = new Uint8Array(Math.max(end, 2 * buffer.length))
      larger.set(buffer.subarray(0, length))
      buffer = larger
    }
    buffer.set(chunk, length)
    length = end
  }
  return buffer.subarray(0, length)
}

function tooLarge(limit: number): ProtocolError {
  return new ProtocolError(Code.invalidRequest, `Invalid Request: the body is larger than ${limit} bytes`, 413)
}

function tooSlow(timeoutMs: number): ProtocolError {
  return new ProtocolError(
    Code.invalidRequest,
    `Request Timeout: the body was not there within ${timeoutMs / 1000} s`,
    408,
  )
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
/** Maximum number of fields of a form, in any format. */
const MAX_FORM_FIELDS = 1_000

/**
 * The fields of a posted form of at most `maxBytes`. Throws TooLarge for a larger body, and a Refusal for another media
 * type, more than 1,000 fields, text that is not UTF-8, and a body that does not arrive in time.
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const text = await readText(request, FORM_TYPE, maxBytes)
  requireFieldCount(text.split('&', MAX_FORM_FIELDS + 1).length)
  return new URLSearchParams(text)
}

/** Throws a Refusal if a form has more fields than any page of the console. */
export function requireFieldCount(count: number): void {
  if (count > MAX_FORM_FIELDS) throw new Refusal('the form has too many fields')
}

/** The body as text of this media type, at most `maxBytes`. Throws TooLarge and Refusal like `readForm`. */
export async function readText(request: Request, type: string, maxBytes: number): Promise<string> {
  const sent = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (sent !== type) throw new Refusal(`Content-Type must be ${type}`)
  try {
    return await readBody(request, maxBytes)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (error.status === 413) throw new TooLarge(`the body is larger than ${maxBytes} bytes`)
    throw new Refusal('the body was not there in time, or is not UTF-8 text')
  }
}
