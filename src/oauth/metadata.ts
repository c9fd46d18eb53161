import { toResourceUrl } from '../account/auth/authenticate.ts'

/** The only scope: a token opens what its key opens. */
export const SCOPE = 'memory'

/** How an application may authenticate (RFC 7591, 2). */
export const CLIENT_AUTHENTICATION_METHODS = ['none', 'client_secret_basic', 'client_secret_post']

/** Protected resource metadata (RFC 9728) of an issuer, which is an origin. */
export function toResourceMetadata(issuer: string) {
  return {
    resource: toResourceUrl(issuer),
    authorization_servers: [issuer],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'memsvc',
  }
}

/**
 * Authorization server metadata, RFC 8414. Hosted assistants stop without `S256`, and take a metadata document as a
 * client's identity only where `none` is offered too.
 */
export function toServerMetadata(issuer: string, { offersDocuments }: { offersDocuments: boolean }) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION_METHODS,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: offersDocuments,
    authorization_response_iss_parameter_supported: true,
  }
}
