import { ProtocolError } from '../errors.ts'
import { Code } from '../jsonrpc.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as text. Throws ProtocolError: 413 above `limit` bytes, announced or not; 400 when it is not UTF-8 or ends early. */
export async function readBody(request: Request, limit: number): Promise<string> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limit) throw tooLarge(limit)
  try {
    return decode(await (announced === null ? readChunks(request, limit) : request.bytes()))
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    throw new ProtocolError(Code.parseError, 'Parse error: the body ended early', 400)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ProtocolError(Code.parseError, 'Parse error: the body is not UTF-8', 400)
  }
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
