/** Error codes of RFC 6749, 7591 and 8707. */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'temporarily_unavailable'

/** The authorization server refuses. `code` is for the application, the message for its developers. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message)
  }
}

/** This server could not reach the host of an application's metadata document. The application is not at fault. */
export class UnreachedDocument extends OAuthError {
  constructor(readonly host: string) {
    super('temporarily_unavailable', `this server could not reach ${host} for the client metadata document`)
  }
}
