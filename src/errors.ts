/** What the credential of a refused request was; decides what the 401 tells the client. */
export type Credential = 'none' | 'key' | 'token'

/** No caller. HTTP 401, before anything else of the request is judged. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
  constructor(readonly sent: Credential) {
    super('Unauthorized')
  }
}

/** Not a request we understand. A JSON-RPC `error` with this code; `status` is the HTTP status that carries it. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  constructor(
    readonly code: number,
    message: string,
    readonly status: number = 200,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** The act says no, for a reason its caller may read. A tool result with `isError: true`; on the command line, exit status 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** A file of the data folder cannot be used. The message names it and is for the operator alone; a caller is told of an internal error. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

/** The subscription answers instead of the tool. The text begins with `[Service Notice]: `. */
export class Notice extends Error {
  override readonly name = 'Notice'
  constructor(text: string) {
    super(`[Service Notice]: ${text}`)
  }
}

/** What kept a request to another server from its answer. */
export type OutboundFailure = 'address' | 'redirect' | 'unreachable' | 'certificate' | 'broken' | 'timeout' | 'size' | 'busy' | 'cancelled'

const OUTBOUND: Record<OutboundFailure, string> = {
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

/** Another server gave no answer. The message names neither the server nor its address, so that it may be shown. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  /** `bound` is the one that was met: milliseconds of a timeout, bytes or values of JSON of a size. */
  constructor(
    readonly failure: OutboundFailure,
    bound?: number,
    unit: 'bytes' | 'values' = 'bytes',
  ) {
    super(bound === undefined ? OUTBOUND[failure] : withBound(failure, bound, unit))
  }
}

function withBound(failure: OutboundFailure, bound: number, unit: string): string {
  return failure === 'timeout' ? `it did not answer within ${Math.ceil(bound / 1000)} s` : `its answer is larger than ${bound} ${unit}`
}

/** The words of RFC 6749, 7591 and 8707 by which a client knows what to do next. */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'temporarily_unavailable'

/** The authorization server says no. `code` is for the application, the message for the people who make it. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message)
  }
}

/** Too many attempts from one place or on one thing, or more at once than there is room for. HTTP 429; `seconds` until the next may be made. */
export class TooMany extends Error {
  override readonly name = 'TooMany'
  constructor(
    readonly seconds: number,
    what = 'too many attempts',
  ) {
    super(`${what}; try again in ${seconds} s`)
  }
}

/** A body is larger than whoever sent it may send. HTTP 413. */
export class TooLarge extends Refusal {}
