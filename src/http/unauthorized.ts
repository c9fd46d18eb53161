import type { Config } from '../config.ts'
import type { Unauthorized } from '../errors.ts'
import { findIssuer } from './public-url.ts'

/**
 * The 401 response. It names the OAuth metadata unless the client sent an API key: some clients would begin OAuth when
 * they see the metadata, and then ignore their key.
 */
export function toUnauthorized({ sent }: Unauthorized, config: Config, request: Request): Response {
  const issuer = findIssuer(config, request)
  const metadata =
    sent === 'key' || issuer === undefined
      ? []
      : [`resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`]
  const parameters = sent === 'token' ? ['error="invalid_token"', ...metadata] : metadata
  const body = {
    error: 'unauthorized',
    error_description: 'Send a valid API key in the header Authorization: Bearer <key>',
  }
  return Response.json(body, {
    status: 401,
    headers: { 'WWW-Authenticate': ['Bearer', parameters.join(', ')].join(' ').trim() },
  })
}
