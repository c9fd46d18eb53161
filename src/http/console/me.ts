import { Elysia } from 'elysia'
import { changePassword } from '../../account/change-password.ts'
import { changeProfile, withdrawAddressWish } from '../../account/change-profile.ts'
import { closeSession, closeSessions, listOpenSessions } from '../../account/session.ts'
import { toMe } from '../../console/me.ts'
import type { Service } from '../../service.ts'
import { withoutToken } from './cookie.ts'
import { letIn } from './entrance.ts'
import { shows, takes } from './handle.ts'
import { type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const PATH = '/console/me'

/** What a person may change about themselves, and the way out. */
export function me(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/me' })
    .get(PATH, shows(service, showMe))
    .post(PATH, takes(service, change, showMe), raw)
    .post(`${PATH}/address/withdraw`, takes(service, withdraw, showMe), raw)
    .post(`${PATH}/password`, takes(service, renew, showMe), raw)
    .post(`${PATH}/sessions`, takes(service, leaveEverywhere, undefined, 'leaving by'), raw)
    .post('/console/sign-out', takes(service, leave, undefined, 'leaving by'), raw)
}

async function showMe(visit: Visit, said: Said): Promise<Response> {
  const { service, visitor } = visit
  const { member, account, session } = visitor
  const departments = await service.store.control.listDepartments(account.id)
  const body = toMe({
    member,
    wish: await service.store.control.findAddressWish(member.id),
    department: departments.find(({ id }) => id === member.departmentId)?.name,
    sessions: await listOpenSessions(service, member),
    present: session.id,
    name: said.given?.get('name') ?? member.name,
    email: said.given?.get('email') ?? member.email,
  })
  return toConsolePage(visit, said, { title: 'You', section: PATH, body })
}

async function change({ service, visitor, by }: Visit, form: URLSearchParams): Promise<Response> {
  const profile = { name: form.get('name') ?? '', email: form.get('email') ?? '' }
  const { wished } = await changeProfile(service, visitor.member, profile, by)
  return toPlace(PATH, wished ? 'address.wished' : 'profile.changed')
}

async function withdraw({ service, visitor, by }: Visit): Promise<Response> {
  await withdrawAddressWish(service, visitor.member, by)
  return toPlace(PATH, 'address.withdrawn')
}

async function renew({ service, visitor, address, request }: Visit, form: URLSearchParams): Promise<Response> {
  const token = await changePassword(service, visitor, form.get('old') ?? '', form.get('password') ?? '', address)
  return letIn(service, request, token, PATH, 'password.changed')
}

async function leave({ service, visitor, by, request }: Visit): Promise<Response> {
  await closeSession(service, visitor, by)
  return toPlace('/console/sign-in', 'session.ended', { 'Set-Cookie': withoutToken(service.config, request) })
}

async function leaveEverywhere({ service, visitor, by, request }: Visit): Promise<Response> {
  await closeSessions(service, visitor.member, by)
  return toPlace('/console/sign-in', 'sessions.ended', { 'Set-Cookie': withoutToken(service.config, request) })
}
