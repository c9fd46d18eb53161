import { ProtocolError } from '../errors.ts'
import { Code } from '../jsonrpc.ts'

const REPLACEMENT = '\u{fffd}'
/** Bytes of the mark that may stand before a text and is not part of it. */
const BYTE_ORDER_MARK_BYTES = 3
/** Within so many milliseconds a body must be there whole: the largest takes a line of 300 kbit/s that long. */
export const BODY_TIMEOUT_MS = 30_000
/** The largest body of a request that nobody has shown a credential for, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384
const FIRST_CHUNK_BYTES = 4_096
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body as text. Throws ProtocolError: 413 above `limit` bytes, announced or not; 408 when it is not there in time; 400 when it is not UTF-8
 * or ends early.
 */
export function readBody(request: Request, limit: number, timeoutMs = BODY_TIMEOUT_MS): Promise<string> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limit) return Promise.reject(tooLarge(limit))
  if (announced === null) return withTimeout(timeoutMs, readChunks(request, limit)).then(decode, endedEarly)
  return withTimeout(timeoutMs, request.text()).then((text) => requireWhole(text, Number(announced)), endedEarly)
}

/** The bytes that a request's body may have: those announced, or the most it may have. */
export function announcedSize(headers: Headers, limit: number): number {
  const announced = headers.get('content-length')
  return announced === null ? limit : Number(announced)
}

/** Most bodies come with their request and are there already: for those there is no timer. */
function withTimeout<T>(timeoutMs: number, coming: Promise<T>): Promise<T> {
  if (Bun.peek.status(coming) !== 'pending') return coming
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow(timeoutMs)), timeoutMs)
  return Promise.race([coming, late]).finally(() => clearTimeout(timer))
}

/**
 * Reading text costs less than reading bytes, but puts U+FFFD in the place of what is no UTF-8. A text with that character is
 * what was sent only if it takes the bytes announced. (So does a character of four bytes that lacks its last, which is let pass.)
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

/** Into one buffer that grows: a body may come in a million chunks of a byte each. */
async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  let buffer = new Uint8Array(FIRST_CHUNK_BYTES)
  let length = 0
  for await (const chunk of request.body ?? []) {
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
  return new ProtocolError(Code.invalidRequest, `Request Timeout: the body was not there within ${timeoutMs / 1000} s`, 408)
}
