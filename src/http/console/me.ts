import { Elysia } from 'elysia'
import { changePassword } from '../../account/auth/change-password.ts'
import { closeSession, closeSessions, listOpenSessions } from '../../account/auth/session.ts'
import { changeProfile, withdrawAddressWish } from '../../account/organizations/profile.ts'
import { toMe } from '../../console/me.ts'
import type { Service } from '../../service.ts'
import { withoutToken } from './cookie.ts'
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
    .post(`${PATH}/sessions`, action(service, leaveEverywhere, undefined, 'leaving by'), raw)
    .post('/console/sign-out', action(service, leave, undefined, 'leaving by'), raw)
}

async function showMe(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const { member, account, session } = visitor
  const departments = await service.store.control.listDepartments(account.id)
  const body = toMe({
    member,
    wish: await service.store.control.findAddressWish(member.id),
    department: departments.find(({ id }) => id === member.departmentId)?.name,
    sessions: await listOpenSessions(service, member),
    currentSession: session.id,
    name: typedValue(state, 'name', member.name),
    email: typedValue(state, 'email', member.email),
  })
  return toConsolePage(req, state, { title: 'You', section: PATH, body })
}

async function change({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  const profile = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const { wished } = await changeProfile(service, visitor.member, profile, actor)
  return redirect(PATH, wished ? 'address.wished' : 'profile.changed')
}

async function withdraw({ service, visitor, actor }: PageRequest): Promise<Response> {
  await withdrawAddressWish(service, visitor.member, actor)
  return redirect(PATH, 'address.withdrawn')
}

async function renew({ service, visitor, clientIp, request }: PageRequest, form: URLSearchParams): Promise<Response> {
  const token = await changePassword(service, visitor, form.get('old') ?? '', form.get('password') ?? '', clientIp)
  return startBrowserSession(service, request, token, PATH, 'password.changed')
}

async function leave({ service, visitor, actor, request }: PageRequest): Promise<Response> {
  await closeSession(service, visitor, actor)
  return redirect('/console/sign-in', 'session.ended', { 'Set-Cookie': withoutToken(service.config, request) })
}

async function leaveEverywhere({ service, visitor, actor, request }: PageRequest): Promise<Response> {
  await closeSessions(service, visitor.member, actor)
  return redirect('/console/sign-in', 'sessions.ended', { 'Set-Cookie': withoutToken(service.config, request) })
}
