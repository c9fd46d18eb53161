import { Elysia } from 'elysia'
import { ENTRY_PATH, enterByLink, requireLinked } from '../account/auth/entry-link.ts'
import { signInMember } from '../account/auth/sign-in.ts'
import { acceptInvitation, INVITATION_PATH, requireInvitation } from '../account/organizations/invitation.ts'
import { MAX_NAME_CHARACTERS } from '../account/organizations/names.ts'
import { Refusal } from '../errors.ts'
import { MAX_ANONYMOUS_BODY_BYTES } from '../http/body.ts'
import { clientIpOf } from '../http/client-ip.ts'
import { readForm } from '../http/form.ts'
import { isForeign, isOwnForm } from '../http/origin.ts'
import { urlOf } from '../http/request-url.ts'
import type { Service } from '../service.ts'
import { readBrowserTokens, startBrowserSession, toDevice } from './browser.ts'
import { toDoneMessage } from './done-messages.ts'
import { toRefusedPage } from './error-pages.ts'
import { type RouteContext, toForeignPage, withErrorPages } from './frame.ts'
import { toField } from './markup/form.ts'
import { type Html, html } from './markup/html.ts'
import { toSentence } from './markup/sentence.ts'
import { toMessages } from './markup/shell.ts'
import { toPage } from './response.ts'

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

type FormResult = { error?: string | undefined; done?: string | undefined }

const NEW_PASSWORD = {
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  required: true,
  autocomplete: 'new-password',
  hint: '12 characters or more. A sentence is good.',
} as const

/** The sign-in form. `to` is the path to go to afterwards. */
export function toSignInForm({ email, account, to, ...result }: FormResult & { email: string; account: string; to: string }): Html {
  return html`<h1>Sign in</h1>
${toMessages(result)}
<form method="post" action="/console/sign-in">
<input type="hidden" name="to" value="${to}">
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: email, required: true, autocomplete: 'username' })}
${toField({ name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' })}
<details class="field"${account === '' ? undefined : html` open`}><summary>Are you a member of several accounts?</summary>
${toField({ name: 'account', label: 'Account', value: account, maxlength: MAX_NAME_CHARACTERS, hint: 'Its name. Without it you come into the one that you joined first, or used last in this browser.' })}
</details>
<div class="actions"><button class="main">Sign in</button></div>
</form>
<p class="quiet">No password, or forgotten? An owner or admin of your account makes you a link; so does <code>memsvc member link</code> on the server.</p>`
}

/** The form of a sign-in link, where a member chooses a password. */
export function toPasswordForm({ email, action, ...result }: FormResult & { email: string; action: string }): Html {
  return html`<h1>Choose a password</h1>
${toMessages(result)}
<p>For <strong>${email}</strong>. The link works once; sessions begun with an older password end.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Set it and come in</button></div>
</form>`
}

type JoinForm = FormResult & { email: string; account: string; role: string; name: string; action: string }

/** The form of an invitation, where a new member enters a name and a password. */
export function toJoinForm({ email, account, role, name, action, ...result }: JoinForm): Html {
  return html`<h1>Join ${account}</h1>
${toMessages(result)}
<p>You are invited as <strong>${email}</strong>, ${role === 'member' ? 'a member' : `an ${role}`} of the account.</p>
<form method="post" action="${action}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField({ name: 'name', label: 'Your name', value: name, hint: 'Records you save are signed with it.', required: true, autocomplete: 'name', maxlength: MAX_NAME_CHARACTERS })}
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Join</button></div>
</form>`
}

/** The page for a sign-in link or invitation that is unknown, used or expired. */
export function toInvalidLinkPage(reason: string): Html {
  return html`<h1>This link leads nowhere</h1><p>${toSentence(reason)}</p><div class="actions"><a class="button" href="/console">Sign in</a></div>`
}
