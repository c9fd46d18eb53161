import { Elysia } from 'elysia'
import { ENTRY_PATH, enterByLink, requireLinked } from '../../account/auth/entry-link.ts'
import { rememberBrowser } from '../../account/auth/known-browser.ts'
import { authenticateVisitor } from '../../account/auth/session.ts'
import { signInMember } from '../../account/auth/sign-in.ts'
import { acceptInvitation, INVITATION_PATH, requireInvitation } from '../../account/organizations/invitation.ts'
import { type Done, toDoneMessage } from '../../console/done-messages.ts'
import { toRefusedPage } from '../../console/error-pages.ts'
import { toInvalidLinkPage, toJoinForm, toPasswordForm, toSignInForm } from '../../console/sign-in.ts'
import { Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { MAX_ANONYMOUS_BODY_BYTES } from '../body.ts'
import { clientIpOf } from '../client-ip.ts'
import { readForm } from '../form.ts'
import { isForeign, isOwnForm } from '../origin.ts'
import { toPage } from '../page.ts'
import { urlOf } from '../request-url.ts'
import { readBrowserTokens, withBrowserTokens, withToken } from './cookie.ts'
import { toDevice } from './device.ts'
import { type RouteContext, toForeignPage, withErrorPages } from './handle.ts'
import { redirect } from './page-request.ts'

/** The same text for every fault, so that it does not reveal who is a member. */
const NOT_ACCEPTED = 'this address and password were not accepted'

const SIGN_IN_PATH = '/console/sign-in'

/** The pages for visitors without a session: signing in, choosing a password by a link, joining by an invitation. */
export function signInPages(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/entrance' })
    .get(SIGN_IN_PATH, page(service, showSignIn))
    .post(SIGN_IN_PATH, action(service, signIn, showSignIn), raw)
    .get(`${ENTRY_PATH}:token`, page(service, showPasswordForm))
    .post(`${ENTRY_PATH}:token`, action(service, choosePassword, showPasswordForm), raw)
    .get(`${INVITATION_PATH}:token`, page(service, showInvitation))
    .post(`${INVITATION_PATH}:token`, action(service, join, showInvitation), raw)
}

/** A request without a session. */
type SignInRequest = { service: Service; request: Request; url: URL; token: string; clientIp: string }
type FormError = { error?: string; field?: string | undefined; status?: number }
type SignInView = (req: SignInRequest, form: URLSearchParams, error: FormError) => Promise<Response>
/** Returns the token of a new session, and the path to go to. */
type SignInAction = (req: SignInRequest, form: URLSearchParams) => Promise<{ session: string; to: string }>

function page(service: Service, view: SignInView) {
  return async (context: RouteContext): Promise<Response> => {
    if (isForeign(service.config, context.request.headers)) return toForeignPage()
    return withErrorPages(() => view(toSignInRequest(service, context), new URLSearchParams(), {}), toInvalidLink)
  }
}

/** Starts a session by `act`; if that is refused, shows `view` with the typed values. */
function action(service: Service, act: SignInAction, view: SignInView) {
  return async (context: RouteContext): Promise<Response> => {
    const { request } = context
    if (!isOwnForm(service.config, request.headers)) return toForeignPage()
    const req = toSignInRequest(service, context)
    let form = new URLSearchParams()
    const run = async () => {
      form = await readForm(request, MAX_ANONYMOUS_BODY_BYTES)
      const { session, to } = await act(req, form)
      return startBrowserSession(service, request, session, to)
    }
    return withErrorPages(run, ({ message, field }, status = 400) =>
      withErrorPages(() => view(req, form, { error: message, field, status }), toInvalidLink),
    )
  }
}

/** Redirects with the cookies of a new session, and of a known browser of the member. */
export async function startBrowserSession(service: Service, request: Request, session: string, to: string, done?: Done): Promise<Response> {
  const response = redirect(to, done, { headers: { 'Set-Cookie': withToken(service.config, request, session) } })
  const visitor = await authenticateVisitor(service, session)
  if (visitor === undefined) return response
  const tokens = await rememberBrowser(service, visitor.member, readBrowserTokens(service.config, request))
  response.headers.append('Set-Cookie', withBrowserTokens(service.config, request, tokens))
  return response
}

function toSignInRequest(service: Service, { request, server, params = {} }: RouteContext): SignInRequest {
  return { service, request, url: urlOf(request), token: params.token ?? '', clientIp: clientIpOf(service.config, request, server) }
}

/** A link may be valid if it cannot be looked up now. */
function toInvalidLink({ message }: { message: string }, status?: number): Response {
  if (status !== undefined) return toPage({ status, title: 'Not now', body: toRefusedPage(message) })
  return toPage({ status: 404, title: 'Not valid', body: toInvalidLinkPage(message) })
}

async function showSignIn({ url }: SignInRequest, form: URLSearchParams, { error, field, status = 200 }: FormError): Promise<Response> {
  const to = readTarget(form.get('to') ?? url.searchParams.get('to'))
  const done = error === undefined ? toDoneMessage(url.searchParams) : undefined
  const typed = { email: form.get('email') ?? '', account: form.get('account') ?? '' }
  const refused = error === undefined ? undefined : { action: SIGN_IN_PATH, error, field }
  return toPage({ status, title: 'Sign in', body: toSignInForm({ ...typed, to, error, done }), refused })
}

async function signIn({ service, request, clientIp }: SignInRequest, form: URLSearchParams) {
  const [email, password, account] = [form.get('email') ?? '', form.get('password') ?? '', form.get('account') ?? '']
  const browserTokens = readBrowserTokens(service.config, request)
  const session = await signInMember(service, { email, password, account, clientIp, device: toDevice(request), browserTokens })
  // Shown at the password field, which is empty again, whichever of the two is wrong.
  if (session === undefined) throw new Refusal(NOT_ACCEPTED, 'password')
  return { session, to: readTarget(form.get('to')) }
}

/** The path to go to after signing in: a page of the console, in characters allowed in a header. For anything else, such as another site, `/console`. */
function readTarget(to: string | null): string {
  return to !== null && /^\/console(\/[\w\-/]*)?(\?[!-[\]-~]*)?$/.test(to) ? to : '/console'
}

async function showPasswordForm(
  { service, token }: SignInRequest,
  _form: URLSearchParams,
  { error, field, status = 200 }: FormError,
): Promise<Response> {
  const { email } = await requireLinked(service, token)
  const action = `${ENTRY_PATH}${token}`
  const refused = error === undefined ? undefined : { action, error, field }
  return toPage({ status, title: 'Choose a password', body: toPasswordForm({ email, action, error }), refused })
}

async function choosePassword({ service, request, token, clientIp }: SignInRequest, form: URLSearchParams) {
  return {
    session: await enterByLink(service, { token, password: form.get('password') ?? '', clientIp, device: toDevice(request) }),
    to: '/console',
  }
}

async function showInvitation(
  { service, token }: SignInRequest,
  form: URLSearchParams,
  { error, field, status = 200 }: FormError,
): Promise<Response> {
  const { invitation, account } = await requireInvitation(service, token)
  const { email, role } = invitation
  const page = { email, role, account: account.name, name: form.get('name') ?? '', action: `${INVITATION_PATH}${token}`, error }
  return toPage({
    status,
    title: `Join ${account.name}`,
    body: toJoinForm(page),
    refused: error === undefined ? undefined : { action: page.action, error, field },
  })
}

async function join({ service, request, token, clientIp }: SignInRequest, form: URLSearchParams) {
  const joining = { token, name: form.get('name') ?? '', password: form.get('password') ?? '', clientIp, device: toDevice(request) }
  return { session: await acceptInvitation(service, joining), to: '/console' }
}
