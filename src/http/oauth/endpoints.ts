import { Elysia } from 'elysia'
import { OAuthError } from '../../errors.ts'
import { registerClient } from '../../oauth/register.ts'
import { revokeToken } from '../../oauth/revoke.ts'
import { redeemCode } from '../../oauth/token.ts'
import type { Service } from '../../service.ts'
import { clientIpOf } from '../client-ip.ts'
import { requireIssuer } from '../public-url.ts'
import { answerApplication } from './answer.ts'
import { requireSender } from './client-credentials.ts'
import { readForm, readText } from './form.ts'

/** What applications themselves call: registration (RFC 7591), token (RFC 6749) and revocation (RFC 7009). */
export function oauthEndpoints(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'oauth/endpoints' })
    .post('/oauth/register', ({ request, server }) => register(service, request, clientIpOf(service.config, request, server)), raw)
    .post('/oauth/token', ({ request, server }) => redeem(service, request, clientIpOf(service.config, request, server)), raw)
    .post('/oauth/revoke', ({ request, server }) => revoke(service, request, clientIpOf(service.config, request, server)), raw)
}

function register(service: Service, request: Request, address: string): Promise<Response> {
  requireIssuer(service.config, request)
  return answerApplication(
    request,
    async () => registerClient(service, readJson(await readText(request, 'application/json')), address),
    201,
  )
}

function redeem(service: Service, request: Request, address: string): Promise<Response> {
  const issuer = requireIssuer(service.config, request)
  return answerApplication(request, async () => {
    const parameters = await readForm(request)
    const { grant_type: type } = parameters
    if (type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing')
    if (type !== 'authorization_code') throw new OAuthError('unsupported_grant_type', "grant_type must be 'authorization_code'")
    const client = await requireSender(service, request, parameters)
    return redeemCode(service, { client, parameters, issuer, address })
  })
}

function revoke(service: Service, request: Request, address: string): Promise<Response> {
  return answerApplication(request, async () => {
    const parameters = await readForm(request)
    const client = await requireSender(service, request, parameters)
    await revokeToken(service, client, parameters, address)
    return undefined
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the body is not JSON')
  }
}
