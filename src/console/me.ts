import { isOperatingMember } from '../account/auth/authorize.ts'
import { changePassword } from '../account/auth/change-password.ts'
import { closeSession, closeSessions, listOpenSessions } from '../account/auth/session.ts'
import { MAX_NAME_CHARACTERS } from '../account/organizations/names.ts'
import { changeProfile, withdrawEmailChange } from '../account/organizations/profile.ts'
import type { Member } from '../store/account.ts'
import type { EmailChange, Session } from '../store/sign-in.ts'
import { startBrowserSession, toDevice, withoutToken } from './browser.ts'
import { typedValue } from './form.ts'
import { toButton, toField } from './markup/form.ts'
import { toExactTime, toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from './markup/table.ts'
import { BACKUPS_PATH } from './operator/backups.ts'
import { OPERATOR_PATH } from './operator/operator.ts'
import type { Page } from './page.ts'
import { type FormState, type PageRequest, toConsolePage } from './request.ts'
import { redirect } from './response.ts'

const PATH = '/console/me'

/** The page of a member's own name, e-mail address, password and sessions; signing out. */
export const me: Page = {
  path: PATH,
  show: showMe,
  forms: {
    '': change,
    '/address/withdraw': withdraw,
    '/password': renew,
    '/sessions/:session/end': endOne,
    '/sessions': { act: leaveEverywhere, limit: 'leaving by' },
  },
}

async function showMe(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const { member, account, session } = visitor
  const departments = await service.store.control.list('departments', { accountId: account.id })
  const body = toMe({
    member,
    emailChange: await service.store.control.find('emailChanges', { memberId: member.id }),
    department: departments.find(({ id }) => id === member.departmentId)?.name,
    sessions: await listOpenSessions(service, member),
    currentSession: session.id,
    isOperator: await isOperatingMember(service.store.control, visitor),
    name: typedValue(state, 'name', member.name),
    email: typedValue(state, 'email', member.email),
  })
  return toConsolePage(req, state, { title: 'You', section: PATH, body })
}

async function change({ service, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  const profile = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const { isEmailRequested } = await changeProfile(service, actor, profile)
  return redirect(PATH, isEmailRequested ? 'address.wished' : 'profile.changed')
}

async function withdraw({ service, actor }: PageRequest): Promise<Response> {
  await withdrawEmailChange(service, actor)
  return redirect(PATH, 'address.withdrawn')
}

async function renew({ service, actor, request }: PageRequest, form: URLSearchParams): Promise<Response> {
  const token = await changePassword(service, actor, {
    old: form.get('old') ?? '',
    password: form.get('password') ?? '',
    device: toDevice(request),
  })
  return startBrowserSession(service, request, token, PATH, 'password.changed')
}

export async function leave({ service, visitor, actor, request }: PageRequest): Promise<Response> {
  await closeSession(service, actor, visitor.session.id)
  return redirect('/console/sign-in', 'session.ended', { headers: { 'Set-Cookie': withoutToken(service.config, request) } })
}

/** Ends the session that the path names, which may be the one of this request. */
async function endOne(req: PageRequest): Promise<Response> {
  const { service, visitor, actor, params } = req
  if (params.session === visitor.session.id) return leave(req)
  await closeSession(service, actor, params.session ?? '')
  return redirect(PATH, 'session.closed')
}

async function leaveEverywhere({ service, actor, request }: PageRequest): Promise<Response> {
  await closeSessions(service, actor)
  return redirect('/console/sign-in', 'sessions.ended', { headers: { 'Set-Cookie': withoutToken(service.config, request) } })
}

type MePage = {
  member: Member
  /** The requested e-mail address, until an owner or admin confirms it. */
  emailChange: EmailChange | undefined
  department: string | undefined
  sessions: Session[]
  /** The id of the session that this request belongs to. */
  currentSession: string
  /** Whether to show the operator's section. */
  isOperator: boolean
  /** The values of the form for name and e-mail address. */
  name: string
  email: string
}

const SESSION_COLUMNS: Column[] = [{ label: 'Device' }, { label: 'IP address' }, { label: 'Since' }, { label: 'Until' }, ACTIONS_COLUMN]

/** A member's own settings and sessions. */
export function toMe({ member, emailChange, department, sessions, currentSession, isOperator, name, email }: MePage): Html {
  const rows = sessions.map((session) => [
    html`<bdi>${session.device ?? 'unknown'}</bdi> ${session.id === currentSession ? toBadge('this one', 'good') : undefined}`,
    html`${session.clientIp ?? 'unknown'}`,
    toTime(session.createdAt),
    toTime(session.expiresAt),
    toButton(`/console/me/sessions/${session.id}/end`, 'Sign out', { about: `${session.device ?? 'unknown'}, ${session.clientIp ?? ''}` }),
  ])
  return html`<h1>You</h1>
${toFacts([
  ['Role', member.role],
  ['Department', department ?? 'none'],
  ['Member since', toExactTime(member.createdAt)],
])}
<section class="panel"><h2>Name and e-mail address</h2>
<form method="post" action="/console/me">
${toField({ name: 'name', label: 'Name', value: name, required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'Your records are signed with it.', autocomplete: 'name' })}
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: email, required: true, hint: 'You sign in with it. A new one counts once an owner or admin of your account has confirmed it.', autocomplete: 'email' })}
<div class="actions"><button class="main">Save</button></div>
</form>
${emailChange && toEmailChange(emailChange)}
</section>
<section class="panel"><h2>Password</h2>
<form method="post" action="/console/me/password">
${toField({ name: 'old', label: 'Current password', type: 'password', required: true, autocomplete: 'current-password' })}
${toField({ name: 'password', label: 'New password', type: 'password', required: true, autocomplete: 'new-password', hint: '12 characters or more. Your other sessions end.' })}
<div class="actions"><button class="main">Change the password</button></div>
</form></section>
${isOperator ? toOperatorSection() : undefined}<section><h2>Sessions</h2>
${toTable('Where you are signed in', SESSION_COLUMNS, rows, 'None.')}
<div class="actions"><form method="post" action="/console/me/sessions"><button class="danger">Sign out everywhere</button></form></div>
</section>`
}

function toOperatorSection(): Html {
  return html`<section class="panel"><h2>This service</h2>
<p>You own its first account, and so look after it and keep its backups.</p>
<div class="actions"><a class="button" href="${OPERATOR_PATH}">Operator</a> <a class="button" href="${BACKUPS_PATH}">Backups</a></div></section>
`
}

function toEmailChange({ email, requestedAt }: EmailChange): Html {
  return html`<h3>Waiting to be confirmed</h3>
<p>You asked for <bdi>${email}</bdi> on ${toExactTime(requestedAt)}. Until an owner or admin confirms it, you sign in with the current address.</p>
<div class="row">${toButton('/console/me/address/withdraw', 'Take it back', { about: email })}</div>`
}
