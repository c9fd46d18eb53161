import { Elysia } from 'elysia'
import { ENTRY_PATH, enterByLink, requireLinked } from '../account/auth/entry-link.ts'
import { signInMember } from '../account/auth/sign-in.ts'
import { acceptInvitation, INVITATION_PATH, requireInvitation } from '../account/organizations/invitation.ts'
import { MAX_NAME_CHARACTERS } from '../account/organizations/names.ts'
import { Refusal } from '../errors.ts'
import { MAX_ANONYMOUS_BODY_BYTES, readForm } from '../http/body.ts'
import { clientIpOf, isForeign, isOwnForm, urlOf } from '../http/request.ts'
import type { Service } from '../service.ts'
import { readBrowserTokens, startBrowserSession, toDevice } from './browser.ts'
import { toDoneMessage } from './done-messages.ts'
import { createDoubleSubmits } from './double-submits.ts'
import { toForeignPage, toRefusedPage } from './error-pages.ts'
import { type RouteContext, withErrorPages } from './frame.ts'
import { toField } from './markup/form.ts'
import { toSentence } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { toMessages } from './markup/shell.ts'
import type { Refused } from './page.ts'
import { toPage } from './response.ts'

/** The same text for every fault, so that it does not reveal who is a member. */
const NOT_ACCEPTED = 'this address and password were not accepted'

/** A request without a session; `refused` is the form that the page is shown again for. */
type EntryRequest = { service: Service; request: Request; url: URL; token: string; clientIp: string; refused?: Refused }

/** A page for visitors without a session. Its form begins one by `enter`. */
type EntryPage = {
  path: string
  show: (req: EntryRequest) => Promise<{ title: string; body: Html }>
  enter: (req: EntryRequest, form: URLSearchParams) => Promise<Entered>
}

/** The token of a session that has begun, and the path to go to. */
type Entered = { session: string; to: string }

const PAGES: EntryPage[] = [
  { path: '/console/sign-in', show: showSignIn, enter: signIn },
  { path: `${ENTRY_PATH}:token`, show: showPasswordForm, enter: choosePassword },
  { path: `${INVITATION_PATH}:token`, show: showInvitation, enter: join },
]

/** The pages for visitors without a session: signing in, choosing a password by a link, joining by an invitation. */
export function signInPages(service: Service) {
  const routes: Elysia = new Elysia({ name: 'console/entrance' })
  const once = createDoubleSubmits<Entered>()
  for (const page of PAGES) {
    routes
      .get(page.path, toEntryView(service, page))
      .post(page.path, toEntryForm(service, page, once), { parse: 'none' })
  }
  return routes
}

function toEntryView(service: Service, { show }: EntryPage) {
  return async (context: RouteContext): Promise<Response> => {
    if (isForeign(service.config, context.request.headers)) return toForeignPage()
    return withErrorPages(async () => toPage(await show(toEntryRequest(service, context))), toInvalidLink)
  }
}

/**
 * Begins a session; if that is refused, shows the page with the typed values. A link works once, but not against who
 * clicks twice.
 */
function toEntryForm(
  service: Service,
  { show, enter }: EntryPage,
  once: ReturnType<typeof createDoubleSubmits<Entered>>,
) {
  return async (context: RouteContext): Promise<Response> => {
    const { request } = context
    if (!isOwnForm(service.config, request.headers)) return toForeignPage()
    const req = toEntryRequest(service, context)
    let fields = new URLSearchParams()
    const run = async () => {
      fields = await readForm(request, MAX_ANONYMOUS_BODY_BYTES)
      const begin = () => enter(req, fields)
      const { session, to } = await (req.token === '' ? begin() : once([req.url.pathname, `${fields}`], begin))
      return startBrowserSession(service, request, session, to)
    }
    return withErrorPages(run, ({ message, field }, status = 400) => {
      const refused = { error: message, field, fields }
      const showAgain = async () =>
        toPage({ ...(await show({ ...req, refused })), status, refused: { action: req.url.pathname, ...refused } })
      return withErrorPages(showAgain, toInvalidLink)
    })
  }
}

function toEntryRequest(service: Service, { request, server, params = {} }: RouteContext): EntryRequest {
  return {
    service,
    request,
    url: urlOf(request),
    token: params.token ?? '',
    clientIp: clientIpOf(service.config, request, server),
  }
}

/** A link may be valid if it cannot be looked up now. */
function toInvalidLink({ message }: { message: string }, status?: number): Response {
  if (status !== undefined) return toPage({ status, title: 'Not now', body: toRefusedPage(message) })
  const body = html`<h1>This link does not work</h1><p>${toSentence(message)}</p><div class="actions"><a class="button" href="/console">Sign in</a></div>`
  return toPage({ status: 404, title: 'Not valid', body })
}

async function signIn({ service, request, clientIp }: EntryRequest, form: URLSearchParams) {
  const session = await signInMember(service, {
    email: form.get('email') ?? '',
    password: form.get('password') ?? '',
    account: form.get('account') ?? '',
    clientIp,
    device: toDevice(request),
    browserTokens: readBrowserTokens(service.config, request),
  })
  // Shown at the password field, which is empty again, whichever of the two is wrong.
  if (session === undefined) throw new Refusal(NOT_ACCEPTED, 'password')
  return { session, to: readTarget(form.get('to')) }
}

/**
 * The path to go to after signing in: a page of the console, in characters allowed in a header. For anything else, such
 * as another site, `/console`.
 */
function readTarget(to: string | null): string {
  return to !== null && /^\/console(\/[\w\-/]*)?(\?[!-[\]-~]*)?$/.test(to) ? to : '/console'
}

async function choosePassword({ service, request, token, clientIp }: EntryRequest, form: URLSearchParams) {
  const password = form.get('password') ?? ''
  const session = await enterByLink(service, { token, password, clientIp, device: toDevice(request) })
  return { session, to: '/console' }
}

async function join({ service, request, token, clientIp }: EntryRequest, form: URLSearchParams) {
  const [name, password] = [form.get('name') ?? '', form.get('password') ?? '']
  const joining = { token, name, password, clientIp, device: toDevice(request) }
  const { session, projectId } = await acceptInvitation(service, joining)
  return { session, to: projectId === undefined ? '/console' : `/console/projects/${projectId}/start` }
}

const NEW_PASSWORD = {
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  required: true,
  autocomplete: 'new-password',
  hint: '12 characters or more. A sentence is good.',
} as const

/** The sign-in form, with the path to go to afterwards. */
async function showSignIn({ url, refused }: EntryRequest) {
  const to = readTarget(refused?.fields?.get('to') ?? url.searchParams.get('to'))
  const done = refused === undefined ? toDoneMessage(url.searchParams) : undefined
  const body = html`<h1>Sign in</h1>
${toMessages({ done, error: refused?.error })}
<form method="post" action="/console/sign-in">
<input type="hidden" name="to" value="${to}">
${toField({ name: 'email', label: 'E-mail address', type: 'email', required: true, autocomplete: 'username' })}
${toField({ name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' })}
<details class="field"${refused?.fields?.get('account') ? html` open` : undefined}><summary>Member of several accounts?</summary>
${toField({ name: 'account', label: 'Account', maxlength: MAX_NAME_CHARACTERS, hint: 'The name of the account. Leave it empty for the one used last in this browser, or joined first.' })}
</details>
<div class="actions"><button class="main">Sign in</button></div>
</form>
<p class="quiet">No password, or forgotten it? An owner or admin of your account can make you a link, and so can <code>memsvc member link</code> on the server.</p>`
  return { title: 'Sign in', body }
}

/** The form of a sign-in link, where a member chooses a password. */
async function showPasswordForm({ service, url, token, refused }: EntryRequest) {
  const { email } = await requireLinked(service, token)
  const body = html`<h1>Choose a password</h1>
${toMessages({ error: refused?.error })}
<p>For <strong>${email}</strong>. The link works once. Sessions started with an older password end.</p>
<form method="post" action="${url.pathname}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Set password and sign in</button></div>
</form>`
  return { title: 'Choose a password', body }
}

/** The form of an invitation, where a new member enters a name and a password. */
async function showInvitation({ service, url, token, refused }: EntryRequest) {
  const { invitation, account } = await requireInvitation(service, token)
  const { email, role } = invitation
  const body = html`<h1>Join ${account.name}</h1>
${toMessages({ error: refused?.error })}
<p>You are invited as <strong>${email}</strong>, ${role === 'member' ? 'a member' : `an ${role}`} of the account.</p>
<form method="post" action="${url.pathname}">
<input type="hidden" name="email" value="${email}" autocomplete="username">
${toField({ name: 'name', label: 'Your name', hint: 'Records you save are signed with it.', required: true, autocomplete: 'name', maxlength: MAX_NAME_CHARACTERS })}
${toField(NEW_PASSWORD)}
<div class="actions"><button class="main">Join</button></div>
</form>`
  return { title: `Join ${account.name}`, body }
}
