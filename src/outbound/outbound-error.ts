/** Why a request to another server got no response. */
export type OutboundErrorCode =
  | 'address'
  | 'redirect'
  | 'unreachable'
  | 'certificate'
  | 'broken'
  | 'timeout'
  | 'size'
  | 'busy'
  | 'cancelled'

const OUTBOUND_TEXTS: Record<OutboundErrorCode, string> = {
  address: 'its address may not be called',
  redirect: 'it answered with a redirect',
  unreachable: 'it cannot be reached',
  certificate: 'its certificate is not valid',
  broken: 'the connection to it broke',
  timeout: 'it did not answer in time',
  size: 'its answer is too large',
  busy: 'too many large answers are on their way; try again',
  cancelled: 'the call was cancelled',
}

/**
 * Another server gave no usable response. The message names neither the server nor its address, so that callers may
 * read it.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  /**
   * `bound` is the limit that was exceeded: milliseconds for `timeout`; bytes or JSON values, as `unit` says, for
   * `size`.
   */
  constructor(
    readonly code: OutboundErrorCode,
    bound?: number,
    unit: 'bytes' | 'values' = 'bytes',
  ) {
    super(bound === undefined ? OUTBOUND_TEXTS[code] : withBound(code, bound, unit))
  }
}

function withBound(code: OutboundErrorCode, bound: number, unit: string): string {
  return code === 'timeout'
    ? `it did not answer within ${Math.ceil(bound / 1000)} s`
    : `its answer is larger than ${bound} ${unit}`
}
