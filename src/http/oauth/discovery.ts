import { Elysia } from 'elysia'
import { offersDocuments } from '../../oauth/document-reach.ts'
import { toResourceMetadata, toServerMetadata } from '../../oauth/metadata.ts'
import type { Service } from '../../service.ts'
import { findIssuer } from '../public-url.ts'

const HEADERS = { 'Cache-Control': 'public, max-age=300' }

/** The metadata by which a client that got a 401 finds the authorization server: RFC 9728 and RFC 8414. */
export function discovery(service: Service) {
  const { config } = service
  const answer = (toMetadata: (issuer: string) => object, request: Request) => {
    const issuer = findIssuer(config, request)
    if (issuer === undefined) return Response.json({ error: 'this service does not know its public address' }, { status: 404 })
    return Response.json(toMetadata(issuer), { headers: HEADERS })
  }
  return new Elysia({ name: 'oauth/discovery' })
    .get('/.well-known/oauth-protected-resource', ({ request }) => answer(toResourceMetadata, request))
    .get('/.well-known/oauth-protected-resource/mcp', ({ request }) => answer(toResourceMetadata, request))
    .get('/.well-known/oauth-authorization-server', ({ request }) =>
      answer((issuer) => toServerMetadata(issuer, { offersDocuments: offersDocuments(service) }), request),
    )
}
