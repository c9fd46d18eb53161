import type { Config } from '../config.ts'
import type { Unauthorized } from '../errors.ts'
import { isLoopback } from './origin.ts'

/**
 * The 401. It names the OAuth metadata only to a client that sent no key: one that was given a key must not be lured into OAuth,
 * since some then ignore the key.
 */
export function toUnauthorized({ sent }: Unauthorized, config: Config, request: Request): Response {
  const base = config.publicUrl ?? toLocalOrigin(request)
  const metadata = sent === 'key' || base === undefined ? [] : [`resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`]
  const parameters = sent === 'token' ? ['error="invalid_token"', ...metadata] : metadata
  const body = { error: 'unauthorized', error_description: 'Send a valid API key in the header Authorization: Bearer <key>' }
  return Response.json(body, { status: 401, headers: { 'WWW-Authenticate': ['Bearer', parameters.join(', ')].join(' ').trim() } })
}

/** A server that others reach behind a proxy cannot know its own address; one reached on this machine can. */
function toLocalOrigin(request: Request): string | undefined {
  const url = new URL(request.url)
  return isLoopback(url.host) ? url.origin : undefined
}
