import { Elysia } from 'elysia'
import { toSentence } from '../../console/markup/shell.ts'
import { OAuthError, TooLarge, TooMany } from '../../errors.ts'
import { type Asking, type Authorization, readAuthorization, requireAsking } from '../../oauth/authorization.ts'
import { askForConsent, takeAnswer } from '../../oauth/grant.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { toHost, withAnswer } from '../../oauth/redirect-uri.ts'
import { signIn } from '../../oauth/sign-in.ts'
import type { Service } from '../../service.ts'
import { clientIpOf } from '../client-ip.ts'
import { isOwnForm } from '../own-form.ts'
import { requireIssuer } from '../public-url.ts'
import { urlOf } from '../request-url.ts'
import { toConsentPage } from './consent-page.ts'
import { readForm } from './form.ts'
import { toRefusedPage } from './refused-page.ts'
import { toSignInPage } from './sign-in-page.ts'

/** One visit of a person to the authorization page. */
type Visit = { service: Service; request: Request; issuer: string; address: string }

/** The page on which a person lets an application in: first the key is asked for, then the consent. */
export function authorize(service: Service) {
  const visit = (request: Request, address: string): Visit => ({
    service,
    request,
    address,
    issuer: requireIssuer(service.config, request),
  })
  return new Elysia({ name: 'oauth/authorize' })
    .get('/oauth/authorize', ({ request, server }) => refusing(() => show(visit(request, clientIpOf(service.config, request, server)))))
    .post('/oauth/authorize', ({ request, server }) => refusing(() => take(visit(request, clientIpOf(service.config, request, server)))), {
      parse: 'none',
    })
}

async function show(visit: Visit): Promise<Response> {
  const parameters = readParameters(urlOf(visit.request).searchParams)
  return onAuthorization(visit, parameters, async (authorization) => toSignInPage({ authorization, parameters, issuer: visit.issuer }))
}

async function take(visit: Visit): Promise<Response> {
  if (!isOwnForm(visit.issuer, visit.request.headers)) {
    return toRefusedPage({ status: 403, reason: 'The form was sent from a page that is not part of this service.' })
  }
  const form = await readForm(visit.request)
  if (form.ticket !== undefined) return answer(visit, form.ticket, form.answer === 'allow')
  return onAuthorization(visit, form, (authorization) => enter(visit, form, authorization))
}

/** Acts on a request that can be put to a person; for any other, offers the way back where it is known. */
async function onAuthorization(visit: Visit, parameters: Parameters, act: (authorization: Authorization) => Promise<Response>) {
  const asking = await requireAsking(visit.service, parameters, visit.address)
  try {
    return await act(readAuthorization(asking, parameters, visit.issuer))
  } catch (error) {
    if (error instanceof OAuthError) return toRefusedPage({ ...toReason(error), back: toBack(asking, error, visit.issuer) })
    throw error
  }
}

async function enter({ service, issuer, address }: Visit, parameters: Parameters, authorization: Authorization): Promise<Response> {
  try {
    const holder = await signIn(service, parameters.key ?? '', address)
    if (holder === undefined) return toSignInPage({ authorization, parameters, issuer, fault: 'key' })
    const ticket = await askForConsent(service, authorization, holder)
    return toConsentPage({ authorization, holder, ticket, issuer, now: service.clock.now() })
  } catch (error) {
    if (error instanceof TooMany) return toSignInPage({ authorization, parameters, issuer, fault: { wait: error.seconds } })
    throw error
  }
}

async function answer({ service, issuer }: Visit, ticket: string, allowed: boolean): Promise<Response> {
  const taken = await takeAnswer(service, ticket, allowed)
  if (taken === undefined) {
    return toRefusedPage({
      status: 400,
      reason: 'This page was left open too long or was answered before. Begin again in the application.',
    })
  }
  const { redirectUri, state, code } = taken
  const said = code === undefined ? { error: 'access_denied' } : { code }
  const headers = { Location: withAnswer(redirectUri, { ...said, state, iss: issuer }), 'Cache-Control': 'no-store' }
  return new Response(null, { status: 303, headers })
}

/** A request that nothing can be made of, as a page. */
async function refusing(act: () => Promise<Response>): Promise<Response> {
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

function toReason({ code, message }: OAuthError) {
  return { status: 400, reason: 'The application asked in a way that this service cannot answer.', code: `${code}: ${message}` }
}

function toBack({ redirectUri, state }: Asking, { code, message }: OAuthError, iss: string) {
  return { host: toHost(redirectUri), href: withAnswer(redirectUri, { error: code, error_description: message, state, iss }) }
}
