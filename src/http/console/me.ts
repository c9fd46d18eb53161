import { Elysia } from 'elysia'
import { isOperatingMember } from '../../account/auth/authorize.ts'
import { changePassword } from '../../account/auth/change-password.ts'
import { closeSession, closeSessions, listOpenSessions } from '../../account/auth/session.ts'
import { changeProfile, withdrawEmailChange } from '../../account/organizations/profile.ts'
import { toMe } from '../../console/me.ts'
import type { Service } from '../../service.ts'
import { withoutToken } from './cookie.ts'
import { toDevice } from './device.ts'
import { typedValue } from './form-fields.ts'
import { action, page } from './handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from './page-request.ts'
import { startBrowserSession } from './sign-in.ts'

const PATH = '/console/me'

/** The page of a member's own name, e-mail address, password and sessions; signing out. */
export function me(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/me' })
    .get(PATH, page(service, showMe))
    .post(PATH, action(service, change, showMe), raw)
    .post(`${PATH}/address/withdraw`, action(service, withdraw, showMe), raw)
    .post(`${PATH}/password`, action(service, renew, showMe), raw)
    .post(`${PATH}/sessions/:session/end`, action(service, endOne, showMe), raw)
    .post(`${PATH}/sessions`, action(service, leaveEverywhere, undefined, { limit: 'leaving by' }), raw)
    .post('/console/sign-out', action(service, leave, undefined, { limit: 'leaving by' }), raw)
}

async function showMe(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const { member, account, session } = visitor
  const departments = await service.store.control.listDepartments(account.id)
  const body = toMe({
    member,
    emailChange: await service.store.control.findEmailChange(member.id),
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

async function leave({ service, visitor, actor, request }: PageRequest): Promise<Response> {
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
