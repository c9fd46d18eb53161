import type { Server } from 'bun'
import { Elysia } from 'elysia'
import type { AppContext } from '../../account/context.ts'
import { Refusal, TooLarge, TooMany } from '../../errors.ts'
import { tryParseJson } from '../../jsonrpc.ts'
import { type Parameters, readParameters } from '../../oauth/authorization.ts'
import { authenticateClient, registerClient } from '../../oauth/client.ts'
import { offersDocuments } from '../../oauth/document.ts'
import { toResourceMetadata, toServerMetadata } from '../../oauth/metadata.ts'
import { OAuthError } from '../../oauth/oauth-error.ts'
import { redeemCode, revokeToken } from '../../oauth/token.ts'
import type { Service } from '../../service.ts'
import type { OAuthClient } from '../../store/oauth.ts'
import { MAX_ANONYMOUS_BODY_BYTES, readForm, readText } from '../body.ts'
import { findIssuer, requireIssuer } from '../public-url.ts'
import { clientIpOf } from '../request.ts'

const METADATA_HEADERS = { 'Cache-Control': 'public, max-age=300' }

/**
 * The OAuth authorization server: the metadata by which a client that got a 401 finds it (RFC 9728 and RFC 8414), and
 * the endpoints that applications call: registration (RFC 7591), token (RFC 6749) and revocation (RFC 7009).
 */
export function oauth(service: Service) {
  const raw = { parse: 'none' } as const
  const { config } = service
  const answer = (toMetadata: (issuer: string) => object, request: Request) => {
    const issuer = findIssuer(config, request)
    if (issuer === undefined)
      return Response.json({ error: 'this service does not know its public address' }, { status: 404 })
    return Response.json(toMetadata(issuer), { headers: METADATA_HEADERS })
  }
  return new Elysia({ name: 'oauth' })
    .get('/.well-known/oauth-protected-resource', ({ request }) => answer(toResourceMetadata, request))
    .get('/.well-known/oauth-protected-resource/mcp', ({ request }) => answer(toResourceMetadata, request))
    .get('/.well-known/oauth-authorization-server', ({ request }) =>
      answer((issuer) => toServerMetadata(issuer, { offersDocuments: offersDocuments(service) }), request),
    )
    .post('/oauth/register', (context) => register(service, context), raw)
    .post('/oauth/token', (context) => redeem(service, context), raw)
    .post('/oauth/revoke', (context) => revoke(service, context), raw)
}

type RouteContext = { request: Request; server: Server<unknown> | null }

function register(service: Service, { request, server }: RouteContext): Promise<Response> {
  requireIssuer(service.config, request)
  const register = async () =>
    registerClient(service, await readJson(request), clientIpOf(service.config, request, server))
  return answerApplication(request, register, 201)
}

function redeem(service: Service, { request, server }: RouteContext): Promise<Response> {
  const issuer = requireIssuer(service.config, request)
  return answerApplication(request, async () => {
    const parameters = await readFormParameters(request)
    const { grant_type: type } = parameters
    if (type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing')
    if (type !== 'authorization_code')
      throw new OAuthError('unsupported_grant_type', "grant_type must be 'authorization_code'")
    const client = await requireClient(service, request, parameters)
    return redeemCode(service, { client, parameters, issuer, clientIp: clientIpOf(service.config, request, server) })
  })
}

function revoke(service: Service, { request, server }: RouteContext): Promise<Response> {
  return answerApplication(request, async () => {
    const parameters = await readFormParameters(request)
    const client = await requireClient(service, request, parameters)
    await revokeToken(service, { client, parameters, clientIp: clientIpOf(service.config, request, server) })
    return undefined
  })
}

/** RFC 6749, 5.1: answers with credentials must not be cached. */
const HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/**
 * Answers with the value of `act` as JSON, or with its OAuthError, TooLarge or TooMany in the form of RFC 6749, 5.2.
 * Rethrows other errors.
 */
async function answerApplication(
  request: Request,
  act: () => Promise<object | undefined>,
  status = 200,
): Promise<Response> {
  try {
    const value = await act()
    return value === undefined
      ? new Response(null, { status, headers: HEADERS })
      : Response.json(value, { status, headers: HEADERS })
  } catch (error) {
    if (error instanceof TooMany)
      return toError(429, 'temporarily_unavailable', error.message, { 'Retry-After': String(error.seconds) })
    if (error instanceof TooLarge) return toError(413, 'invalid_request', error.message)
    if (!(error instanceof OAuthError)) throw error
    if (error.code !== 'invalid_client') return toError(400, error.code, error.message)
    // RFC 6749, 5.2: the scheme is named to a client that used the Authorization header.
    const challenge = request.headers.has('authorization') ? { 'WWW-Authenticate': 'Basic realm="memsvc"' } : undefined
    return toError(401, error.code, error.message, challenge)
  }
}

function toError(
  status: number,
  error: string,
  error_description: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error, error_description }, { status, headers: { ...HEADERS, ...headers } })
}

/** The parameters of a posted form. Throws OAuthError, and TooLarge beyond 16 KiB. */
export async function readFormParameters(request: Request): Promise<Parameters> {
  return readParameters(await readForm(request, MAX_ANONYMOUS_BODY_BYTES).catch(throwOAuthError))
}

/** A posted JSON value. Throws OAuthError, and TooLarge beyond 16 KiB. */
async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request, 'application/json', MAX_ANONYMOUS_BODY_BYTES).catch(throwOAuthError)
  const value = tryParseJson(text)
  if (value === undefined) throw new OAuthError('invalid_client_metadata', 'the body is not JSON')
  return value
}

function throwOAuthError(error: unknown): never {
  if (!(error instanceof Refusal) || error instanceof TooLarge) throw error
  throw new OAuthError('invalid_request', error.message)
}

type Credentials = { id: string | undefined; secret: string | undefined }

/** Authenticates the application that sent a form, by HTTP Basic or by fields of the form. Throws OAuthError. */
async function requireClient(ctx: AppContext, request: Request, form: Parameters): Promise<OAuthClient> {
  const header = request.headers.get('authorization')
  const { id, secret } = header === null ? { id: form.client_id, secret: form.client_secret } : readBasic(header, form)
  if (id === undefined) throw new OAuthError('invalid_client', 'client_id is missing')
  return authenticateClient(ctx, id, secret)
}

/**
 * RFC 6749, 2.3.1: both parts are form-encoded. Some clients leave that out; ids and secrets that this service issues
 * are the same in both forms.
 */
function readBasic(header: string, form: Parameters): Credentials {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]+):(.*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined)
    throw new OAuthError('invalid_client', 'the Authorization header is not HTTP Basic')
  if (form.client_secret !== undefined) throw new OAuthError('invalid_request', 'the client authenticates in two ways')
  return { id: decode(id), secret: decode(secret) }
}

function decode(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
}
