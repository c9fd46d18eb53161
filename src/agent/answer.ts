import { ServiceError } from '../errors.ts'
import { isObject, tryParseJson } from '../jsonrpc.ts'

/** Codes of failures before the first byte of a request was sent. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL)$/
const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ISSUER|EPROTO|ALTNAME/

/**
 * Converts an error of `fetch`, or of reading its response. `unreachable` guarantees that no byte of the request was
 * sent.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const { name, code = '', message } = error as { name: string; code?: string; message: string }
  if (name === 'TimeoutError') return new ServiceError('timeout', 'The service did not answer in time.')
  if (name === 'AbortError') return new ServiceError('cancelled', 'The request was cancelled.')
  if (UNREACHABLE.test(code))
    return new ServiceError(
      'unreachable',
      `The service cannot be reached (${code}). Is it running, and is SVC_ENDPOINT right? 'memsvc doctor' checks both.`,
    )
  if (CERTIFICATE.test(code))
    return new ServiceError('certificate', `No secure connection to the service can be made (${code}): ${message}.`)
  return new ServiceError(
    'broken',
    `The connection to the service broke before its answer was complete${code && ` (${code})`}.`,
  )
}

/** The error for a response that asks to retry later. */
export function toBusy({ status, headers }: Response): ServiceError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const wait = Number.isFinite(seconds) ? seconds : undefined
  const advice = wait === undefined ? 'Try again later.' : `Try again in ${wait} s.`
  return new ServiceError('busy', `The service is busy (HTTP ${status}). ${advice}`, status, wait)
}

/** The error for a response that comes from something else than the service, such as a captive portal or a proxy. */
export function toUnexpected({ status, headers }: Response): ServiceError {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  return new ServiceError(
    'unexpected',
    `What answered is not the service (HTTP ${status}, ${type}). Check SVC_ENDPOINT and what stands between.`,
    status,
  )
}

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
