import { Elysia } from 'elysia'
import { ENTRY_PATH, enterByLink, requireLinked } from '../../account/auth/entry-link.ts'
import { rememberBrowser } from '../../account/auth/known-browser.ts'
import { authenticateVisitor, signInMember } from '../../account/auth/session.ts'
import { acceptInvitation, INVITATION_PATH, requireInvitation } from '../../account/organizations/invitation.ts'
import { toDoneMessage } from '../../console/done-messages.ts'
import { toInvalidLinkPage, toJoinForm, toPasswordForm, toSignInForm } from '../../console/sign-in.ts'
import { Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { MAX_ANONYMOUS_BODY_BYTES } from '../body.ts'
import { clientIpOf } from '../client-ip.ts'
import { isForeign } from '../origin.ts'
import { toPage } from '../page.ts'
import { urlOf } from '../request-url.ts'
import { readBrowserTokens, withBrowserTokens, withToken } from './cookie.ts'
import { isOwn, type RouteContext, readForm, toForeignPage, withRefusals } from './handle.ts'
import { redirect } from './page-request.ts'

/** One wording for whatever is wrong, so that nobody learns who is a member. */
const NOT_ACCEPTED = 'this address and password were not accepted'

/** The pages by which people come into the console. */
export function signInPages(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/entrance' })
    .get('/console/sign-in', shown(service, showSignIn))
    .post('/console/sign-in', taken(service, takeSignIn, showSignIn), raw)
    .get(`${ENTRY_PATH}:token`, shown(service, showEnter))
    .post(`${ENTRY_PATH}:token`, taken(service, takeEnter, showEnter), raw)
    .get(`${INVITATION_PATH}:token`, shown(service, showJoin))
    .post(`${INVITATION_PATH}:token`, taken(service, takeJoin, showJoin), raw)
}

/** Somebody at the door: nobody knows who. */
type SignInRequest = { service: Service; request: Request; url: URL; token: string; address: string }
type Show = (guest: SignInRequest, form: URLSearchParams, refused: FormError) => Promise<Response>
type FormError = { fault?: string; status?: number }
/** Returns the token of a new session, and where to go with it. */
type Take = (guest: SignInRequest, form: URLSearchParams) => Promise<{ session: string; to: string }>

function shown(service: Service, show: Show) {
  return async ({ request, server, params = {} }: RouteContext): Promise<Response> => {
    if (isForeign(service.config, request.headers)) return toForeignPage()
    const guest = toGuest(service, { request, server, params })
    return withRefusals(() => show(guest, new URLSearchParams(), {}), toDead)
  }
}

function taken(service: Service, take: Take, show: Show) {
  return async ({ request, server, params = {} }: RouteContext): Promise<Response> => {
    if (!isOwn(service, request)) return toForeignPage()
    const guest = toGuest(service, { request, server, params })
    const shownWith =
      (form: URLSearchParams) =>
      (fault: string, status = 400) =>
        withRefusals(() => show(guest, form, { fault, status }), toDead)
    const act = async (form: URLSearchParams) => {
      const { session, to } = await take(guest, form)
      return startBrowserSession(service, request, session, to)
    }
    const taking = async () => {
      const form = await readForm(request, MAX_ANONYMOUS_BODY_BYTES)
      return withRefusals(() => act(form), shownWith(form))
    }
    return withRefusals(taking, shownWith(new URLSearchParams()))
  }
}

/** Sends the browser on with its session, and lets it be known from now on. */
export async function startBrowserSession(
  service: Service,
  request: Request,
  session: string,
  to: string,
  done?: string,
): Promise<Response> {
  const response = redirect(to, done, { 'Set-Cookie': withToken(service.config, request, session) })
  const visitor = await authenticateVisitor(service, session)
  if (visitor === undefined) return response
  const tokens = await rememberBrowser(service, visitor.member, readBrowserTokens(service.config, request))
  response.headers.append('Set-Cookie', withBrowserTokens(service.config, request, tokens))
  return response
}

function toGuest(service: Service, { request, server, params = {} }: RouteContext): SignInRequest {
  return { service, request, url: urlOf(request), token: params.token ?? '', address: clientIpOf(service.config, request, server) }
}

function toDead(reason: string): Response {
  return toPage({ status: 404, title: 'Not valid', body: toInvalidLinkPage(reason) })
}

async function showSignIn({ url }: SignInRequest, form: URLSearchParams, { fault, status = 200 }: FormError): Promise<Response> {
  const to = readTarget(form.get('to') ?? url.searchParams.get('to'))
  const done = fault === undefined ? toDoneMessage(url.searchParams.get('done')) : undefined
  const typed = { email: form.get('email') ?? '', account: form.get('account') ?? '' }
  return toPage({ status, title: 'Sign in', body: toSignInForm({ ...typed, to, error: fault, done }) })
}

async function takeSignIn({ service, request, address }: SignInRequest, form: URLSearchParams) {
  const [email, password, account] = [form.get('email') ?? '', form.get('password') ?? '', form.get('account') ?? '']
  const browser = readBrowserTokens(service.config, request)
  const session = await signInMember(service, { email, password, account, address, browser })
  if (session === undefined) throw new Refusal(NOT_ACCEPTED)
  return { session, to: readTarget(form.get('to')) }
}

/** A page of the console, in characters that a header takes, and nothing else: a link to sign in leads nobody to another site. */
function readTarget(to: string | null): string {
  return to !== null && /^\/console(\/[\w\-/]*)?(\?[!-[\]-~]*)?$/.test(to) ? to : '/console'
}

async function showEnter({ service, token }: SignInRequest, _form: URLSearchParams, { fault, status = 200 }: FormError): Promise<Response> {
  const { email } = await requireLinked(service, token)
  return toPage({ status, title: 'Choose a password', body: toPasswordForm({ email, action: `${ENTRY_PATH}${token}`, error: fault }) })
}

async function takeEnter({ service, token, address }: SignInRequest, form: URLSearchParams) {
  return { session: await enterByLink(service, token, form.get('password') ?? '', address), to: '/console' }
}

async function showJoin({ service, token }: SignInRequest, form: URLSearchParams, { fault, status = 200 }: FormError): Promise<Response> {
  const { invitation, account } = await requireInvitation(service, token)
  const { email, role } = invitation
  const page = { email, role, account: account.name, name: form.get('name') ?? '', action: `${INVITATION_PATH}${token}`, error: fault }
  return toPage({ status, title: `Join ${account.name}`, body: toJoinForm(page) })
}

async function takeJoin({ service, token, address }: SignInRequest, form: URLSearchParams) {
  const joining = { name: form.get('name') ?? '', password: form.get('password') ?? '', address }
  return { session: await acceptInvitation(service, token, joining), to: '/console' }
}
