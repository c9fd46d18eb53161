import type { Server } from 'bun'
import { Elysia } from 'elysia'
import { TooLarge, TooMany } from '../../errors.ts'
import { readFormParameters } from '../../http/oauth/endpoints.ts'
import { requireIssuer } from '../../http/public-url.ts'
import { clientIpOf, isOwnForm, urlOf } from '../../http/request.ts'
import {
  type Authorization,
  type AuthorizationClient,
  askForConsent,
  type Parameters,
  readAuthorization,
  readParameters,
  requireAuthorizationClient,
  signIn,
  takeAnswer,
} from '../../oauth/authorization.ts'
import { OAuthError, UnreachedDocument } from '../../oauth/oauth-error.ts'

import { isLoopbackUri, toHost, withAnswer } from '../../oauth/redirect-uri.ts'
import type { Service } from '../../service.ts'
import { toSentence } from '../markup/format.ts'
import { toPage } from '../response.ts'
import {
  type Consent,
  type KeyForm,
  type RefusedConnection,
  toConsent,
  toKeyForm,
  toRefusedConnection,
  toRefusedKey,
} from './pages.ts'

/** One request of a person for the authorization page. */
type PageRequest = { service: Service; request: Request; issuer: string; clientIp: string }

/** The page on which a person connects an application: it asks for a key, then for consent. */
export function authorize(service: Service) {
  const page = (show: (req: PageRequest) => Promise<Response>) => {
    return ({ request, server }: { request: Request; server: Server<unknown> | null }) =>
      withErrorPages(() => {
        const issuer = requireIssuer(service.config, request)
        return show({ service, request, issuer, clientIp: clientIpOf(service.config, request, server) })
      })
  }
  return new Elysia({ name: 'oauth/authorize' })
    .get('/oauth/authorize', page(showKeyForm))
    .post('/oauth/authorize', page(acceptForm), { parse: 'none' })
}

async function showKeyForm(req: PageRequest): Promise<Response> {
  const parameters = readParameters(urlOf(req.request).searchParams)
  return onAuthorization(req, parameters, async (authorization) =>
    toKeyPage({ authorization, parameters, issuer: req.issuer }),
  )
}

/** Accepts the form with the key, or the one with the answer to the consent question, which has a ticket. */
async function acceptForm(req: PageRequest): Promise<Response> {
  if (!isOwnForm(req.service.config, req.request.headers, req.issuer)) {
    return toRefusedPage({ status: 403, reason: 'The form was sent from a page that is not part of this service.' })
  }
  const form = await readFormParameters(req.request)
  if (form.ticket !== undefined) return redirectWithAnswer(req, form.ticket, form.answer === 'allow')
  return onAuthorization(req, form, (authorization) => acceptKey(req, form, authorization))
}

/**
 * Runs `act` on a valid authorization request. For an invalid one of a known application, shows a page with a link back
 * to it.
 */
async function onAuthorization(
  req: PageRequest,
  parameters: Parameters,
  act: (authorization: Authorization) => Promise<Response>,
) {
  const client = await requireAuthorizationClient(req.service, parameters, req.clientIp)
  try {
    return await act(readAuthorization(client, parameters, req.issuer))
  } catch (error) {
    if (error instanceof OAuthError)
      return toRefusedPage({ ...toReason(error), back: toBack(client, error, req.issuer) })
    throw error
  }
}

async function acceptKey(
  { service, issuer, clientIp }: PageRequest,
  parameters: Parameters,
  authorization: Authorization,
): Promise<Response> {
  try {
    const holder = await signIn(service, parameters.key ?? '', clientIp)
    if (holder === undefined) return toKeyPage({ authorization, parameters, issuer, fault: 'key' })
    const ticket = await askForConsent(service, authorization, holder)
    return toConsentPage({ authorization, holder, ticket, issuer, now: service.clock.now() })
  } catch (error) {
    if (error instanceof TooMany)
      return toKeyPage({ authorization, parameters, issuer, fault: { wait: error.seconds } })
    throw error
  }
}

async function redirectWithAnswer(
  { service, issuer }: PageRequest,
  ticket: string,
  allowed: boolean,
): Promise<Response> {
  const taken = await takeAnswer(service, ticket, allowed)
  if (taken === undefined) {
    return toRefusedPage({
      status: 400,
      reason: 'This page was left open too long or was answered before. Begin again in the application.',
    })
  }
  const { redirectUri, state, code } = taken
  const answer = code === undefined ? { error: 'access_denied' } : { code }
  const headers = { Location: withAnswer(redirectUri, { ...answer, state, iss: issuer }), 'Cache-Control': 'no-store' }
  return new Response(null, { status: 303, headers })
}

/** Converts errors that a person may see into a page. */
async function withErrorPages(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof OAuthError) return toRefusedPage(toReason(error))
    if (error instanceof TooLarge) return toRefusedPage({ status: 413, reason: toSentence(error.message) })
    if (!(error instanceof TooMany)) throw error
    const reason = `Too many attempts from your network. Try again in ${error.seconds} seconds.`
    return toRefusedPage({ status: 429, reason, headers: { 'Retry-After': String(error.seconds) } })
  }
}

function toReason(error: OAuthError) {
  const { code, message } = error
  if (error instanceof UnreachedDocument) {
    const reason = `This service could not reach ${error.host}, where the application is described, and so cannot tell who asks.
The application is not at fault. Whoever runs this service can let it reach that host, or set SVC_OAUTH_CLIENT_DOCUMENTS=off; applications register here then.`
    return { status: 503, reason, code: `${code}: ${message}` }
  }
  return {
    status: 400,
    reason: 'The application sent a request that this service cannot answer.',
    code: `${code}: ${message}`,
  }
}

function toBack({ redirectUri, state }: AuthorizationClient, { code, message }: OAuthError, iss: string) {
  return {
    host: toHost(redirectUri),
    href: withAnswer(redirectUri, { error: code, error_description: message, state, iss }),
  }
}

/** The page that takes an API key: 200, or 403 and 429 where a key was not accepted. */
function toKeyPage(form: KeyForm): Response {
  const { fault, authorization } = form
  const title = `Connect ${authorization.client.name}`.trim()
  const refused = fault && toRefusedKey(fault)
  if (fault === undefined || fault === 'key')
    return toPage({ status: fault === 'key' ? 403 : 200, title, body: toKeyForm(form), refused })
  return toPage({ status: 429, headers: { 'Retry-After': String(fault.wait) }, title, body: toKeyForm(form), refused })
}

/** The page that asks for consent. */
function toConsentPage(consent: Consent): Response {
  const { client, redirectUri } = consent.authorization
  return toPage({ title: `Allow ${client.name}`.trim(), body: toConsent(consent), formsTo: toSources(redirectUri) })
}

/**
 * Sources of the content security policy for the consent page. Chromium applies them to the redirect after the form and
 * to every further redirect of the application, hence any https URL and not only the redirect URI.
 */
function toSources(redirectUri: string): string[] {
  if (!isLoopbackUri(redirectUri)) return [...new Set(['https:', new URL(redirectUri).protocol])]
  // A source cannot contain an IPv6 address.
  return ['https:', redirectUri.startsWith('http://[') ? 'http:' : new URL(redirectUri).origin]
}

type RefusedPage = RefusedConnection & { status: number; headers?: Record<string, string> }

/** The page that ends an authorization request. */
function toRefusedPage({ status, headers, ...refused }: RefusedPage): Response {
  return toPage({ status, title: 'Cannot connect', body: toRefusedConnection(refused), ...(headers && { headers }) })
}
