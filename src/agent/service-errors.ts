import { ServiceError } from '../errors.ts'

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
