import { ProtocolError } from '../errors.ts'
import { Code } from '../jsonrpc.ts'

const REPLACEMENT = '\u{fffd}'
/** Bytes of the mark that may stand before a text and is not part of it. */
const BYTE_ORDER_MARK = 3
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as text. Throws ProtocolError: 413 above `limit` bytes, announced or not; 400 when it is not UTF-8 or ends early. */
export function readBody(request: Request, limit: number): Promise<string> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limit) return Promise.reject(tooLarge(limit))
  if (announced === null) return readChunks(request, limit).then(decode, endedEarly)
  return request.text().then((text) => requireWhole(text, Number(announced)), endedEarly)
}

/**
 * Reading text costs less than reading bytes, but puts U+FFFD in the place of what is no UTF-8. A text with that character is
 * what was sent only if it takes the bytes announced. (So does a character of four bytes that lacks its last, which is let pass.)
 */
function requireWhole(text: string, announced: number): string {
  if (!text.includes(REPLACEMENT)) return text
  const bytes = Buffer.byteLength(text)
  if (bytes !== announced && bytes + BYTE_ORDER_MARK !== announced) throw notUtf8()
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

async function readChunks(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(limit: number): ProtocolError {
  return new ProtocolError(Code.invalidRequest, `Invalid Request: the body is larger than ${limit} bytes`, 413)
}
