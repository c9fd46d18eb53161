import { ServiceError } from '../errors.ts'
import { isObject, tryParseJson } from '../jsonrpc.ts'

/** Maximum size of a body; the service's have at most 18 MiB. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20

/**
 * The body of a response, decompressed.
 *
 * @throws ServiceError `unexpected` for a body above `maxBytes`, announced or not; the error of `fetch` if it breaks.
 */
export async function readBytes(answer: Response, maxBytes = MAX_ANSWER_BYTES): Promise<Uint8Array> {
  const announced = answer.headers.get('content-length')
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes)
  // Of a compressed body only the compressed size is announced.
  if (announced !== null && !answer.headers.has('content-encoding')) return await answer.bytes()
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    parts.push(chunk)
    length += chunk.length
    if (length > maxBytes) throw tooLarge(maxBytes)
  }
  return Buffer.concat(parts)
}

/** The JSON object in the body of a response; undefined if it is something else, or cannot be read. */
export async function readObject(answer: Response): Promise<Record<string, unknown> | undefined> {
  const bytes = await readBytes(answer).catch(() => undefined)
  return bytes && toObject(bytes)
}

/** The JSON object in UTF-8; undefined if it is something else. */
export function toObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  const value = tryParseJson(new TextDecoder().decode(bytes))
  return isObject(value) ? value : undefined
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('unexpected', `The answer is larger than ${maxBytes} bytes.`)
}
