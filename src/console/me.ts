import { isOperatingMember, mayManage } from '../account/auth/actor.ts'
import { changePassword } from '../account/auth/change-password.ts'
import { closeSession, closeSessions, listOpenSessions } from '../account/auth/session.ts'
import { MAX_NAME_CHARACTERS } from '../account/organizations/names.ts'
import { changeProfile, withdrawEmailChange } from '../account/organizations/profile.ts'
import type { Service } from '../service.ts'
import type { EmailChange, Session } from '../store/sign-in.ts'
import { startBrowserSession, toDevice, withoutToken } from './browser.ts'
import type { Done } from './done-messages.ts'
import { pickChanged, readChanged } from './form.ts'
import { FORM_ID, toButton, toField, toShown } from './markup/form.ts'
import { toExactTime, toTime } from './markup/format.ts'
import { type Html, html } from './markup/html.ts'
import { ACTIONS, toBadge, toCountedHeading, toFacts, toTable } from './markup/table.ts'
import { BACKUPS_PATH } from './operator/backups.ts'
import { OPERATOR_PATH } from './operator/operator.ts'
import { type Answer, done, type Page, type PageContent, type PageRequest } from './page.ts'
import { redirect, redirectUndoable } from './response.ts'

const PATH = '/console/me'

/** The page of a member's own name, e-mail address, password and sessions; signing out. */
export const me: Page = {
  path: PATH,
  show: showMe,
  forms: {
    '': change,
    '/address/withdraw': done('address.withdrawn', ({ service, actor }) => withdrawEmailChange(service, actor)),
    '/password': renew,
    '/sessions/:session/end': endOne,
    '/sessions': { act: leaveEverywhere, limit: 'leaving by' },
  },
}

async function change(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, visitor } = req
  const { name, email } = visitor.member
  const changed = readChanged(form)
  const profile = { name: changed.get('name') ?? name, email: changed.get('email') ?? email }
  const { isEmailRequested } = await changeProfile(service, actor, profile)
  if (isEmailRequested) return 'address.wished'
  return redirectUndoable(req, 'profile.changed', { fields: pickChanged(changed, { name, email }) })
}

async function renew({ service, actor, request }: PageRequest, form: URLSearchParams): Promise<Answer> {
  const [old, password] = [form.get('old') ?? '', form.get('password') ?? '']
  const token = await changePassword(service, actor, { old, password, device: toDevice(request) })
  return startBrowserSession(service, request, token, PATH, 'password.changed')
}

export async function leave({ service, visitor, actor, request }: PageRequest): Promise<Answer> {
  await closeSession(service, actor, visitor.session.id)
  return redirectSignedOut(service, request, 'session.ended')
}

/** Ends the session that the path names, which may be the one of this request. */
async function endOne(req: PageRequest): Promise<Answer> {
  const { service, visitor, actor, params } = req
  if (params.session === visitor.session.id) return leave(req)
  await closeSession(service, actor, params.session ?? '')
  return 'session.closed'
}

async function leaveEverywhere({ service, actor, request }: PageRequest): Promise<Answer> {
  await closeSessions(service, actor)
  return redirectSignedOut(service, request, 'sessions.ended')
}

function redirectSignedOut({ config }: Service, request: Request, message: Done): Response {
  return redirect('/console/sign-in', message, { headers: { 'Set-Cookie': withoutToken(config, request) } })
}

/** A member's own settings and sessions. */
async function showMe({ service, visitor }: PageRequest): Promise<PageContent> {
  const { member, account, session } = visitor
  const { control } = service.store
  const departments = await control.list('departments', { accountId: account.id })
  const emailChange = await control.find('emailChanges', { memberId: member.id })
  const sessions = await listOpenSessions(service, member)
  const body = html`<h1>You</h1>
${toFacts([
  ['Role', member.role],
  ['Department', departments.find(({ id }) => id === member.departmentId)?.name ?? 'none'],
  ['Member since', toExactTime(member.createdAt)],
])}
<section class="panel"><h2>Name and e-mail address</h2>
<form method="post" action="/console/me">${FORM_ID}${toShown({ name: member.name, email: member.email })}
${toField({ name: 'name', label: 'Name', value: member.name, required: true, maxlength: MAX_NAME_CHARACTERS, hint: 'Your records are signed with it.', autocomplete: 'name' })}
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: member.email, required: true, hint: 'You sign in with it. A new one takes effect once an owner or admin confirms it.', autocomplete: 'email' })}
<div class="actions"><button class="main">Save</button></div>
</form>
${emailChange && toEmailChange(emailChange, mayManage(member))}
</section>
<section class="panel"><h2>Password</h2>
<form method="post" action="/console/me/password">${FORM_ID}
${toField({ name: 'old', label: 'Current password', type: 'password', required: true, autocomplete: 'current-password' })}
${toField({ name: 'password', label: 'New password', type: 'password', required: true, autocomplete: 'new-password', hint: '12 characters or more. Your other sessions end.' })}
<div class="actions"><button class="main">Change the password</button></div>
</form></section>
${(await isOperatingMember(control, visitor)) ? OPERATOR_SECTION : undefined}<section>${toCountedHeading('Where you are signed in', sessions.length)}
${toSessions(sessions, session)}
<div class="actions"><form method="post" action="/console/me/sessions"><button class="danger">Sign out everywhere</button></form></div>
</section>`
  return { title: 'You', body }
}

function toSessions(sessions: Session[], present: Session): Html {
  const rows = sessions.map(({ id, device, clientIp, createdAt, expiresAt }) => [
    html`<bdi>${device ?? 'unknown'}</bdi> ${id === present.id ? toBadge('this session', 'good') : undefined}`,
    clientIp ?? 'unknown',
    toTime(createdAt),
    toTime(expiresAt),
    toButton(`${PATH}/sessions/${id}/end`, 'Sign out', { about: `${device ?? 'unknown'}, ${clientIp ?? ''}` }),
  ])
  return toTable('Where you are signed in', ['Device', 'IP address', 'Since', 'Until', ACTIONS], rows, 'None.')
}

const OPERATOR_SECTION = html`<section class="panel"><h2>This service</h2>
<p>As an owner of its first account, you operate this service.</p>
<div class="actions"><a class="button" href="${OPERATOR_PATH}">Operator</a> <a class="button" href="${BACKUPS_PATH}">Backups</a></div></section>
`

/** Owners and admins confirm their own, too. */
function toEmailChange({ email, requestedAt }: EmailChange, mayConfirm: boolean): Html {
  const next = mayConfirm
    ? html`<a href="/console/people">Confirm it under People</a>; until then`
    : html`Until an owner or admin confirms it,`
  return html`<h3>Waiting to be confirmed</h3>
<p>You asked for <bdi>${email}</bdi> on ${toExactTime(requestedAt)}. ${next} you sign in with the current address.</p>
<div class="row">${toButton('/console/me/address/withdraw', 'Withdraw', { about: email })}</div>`
}
