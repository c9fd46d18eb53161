import { Elysia } from 'elysia'
import { closeToMember, openToMember, readAccess } from '../../account/access.ts'
import { findDepartment } from '../../account/department.ts'
import { ENTRY_PATH, LINK_LIFETIME, makeEntryLink } from '../../account/entry-link.ts'
import { changeRole, moveMember, removeMember, requireMember, requireRole } from '../../account/member.ts'
import { mayManage, requireManager, requireMayChange } from '../../account/rights.ts'
import { listVisitorProjects, requireVisitorProject } from '../../account/visitor-projects.ts'
import { toNewLink } from '../../console/new-link.ts'
import { toPerson } from '../../console/person.ts'
import type { Service } from '../../service.ts'
import type { Member, Role } from '../../store/control.ts'
import { shows, takes } from './handle.ts'
import { originOf } from './origin.ts'
import { toPaged } from './paged.ts'
import { newForm, onceForTwoClicks } from './second-click.ts'
import { type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const LIST = '/console/people'
const PATH = `${LIST}/:member`

/** One member of the account, for those who manage it. */
export function person(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/person' })
    .get(PATH, shows(service, showPerson))
    .post(PATH, takes(service, change, showPerson), raw)
    .post(`${PATH}/projects`, takes(service, changeAccess, showPerson), raw)
    .post(`${PATH}/link`, takes(service, onceForTwoClicks(link), showPerson), raw)
    .post(`${PATH}/remove`, takes(service, remove, showPerson), raw)
}

async function showPerson(visit: Visit, said: Said): Promise<Response> {
  const { service, visitor } = visit
  const { control } = service.store
  const member = await findMember(visit)
  const owns = visitor.member.role === 'owner'
  const listed = mayManage(member) ? undefined : await readProjects(visit, member)
  const body = toPerson({
    member,
    departments: await control.listDepartments(visitor.account.id),
    lastUsedAt: await control.findLastKeyUse(member.id),
    role: said.given?.get('role') ?? member.role,
    department: said.given?.get('department') ?? member.departmentId ?? '',
    projects: listed?.projects,
    more: listed?.more,
    changeable: owns || member.role !== 'owner',
    owns,
    form: newForm(visit),
  })
  return toConsolePage(visit, said, { title: member.name, section: LIST, body })
}

async function readProjects({ service, visitor, url }: Visit, member: Member) {
  const access = await readAccess(service.store.control, member, service.clock.now())
  const { rows, more } = toPaged(url, `${LIST}/${member.id}`, await listVisitorProjects(service, visitor))
  return { projects: rows.map(({ id, name }) => ({ id, name, access: access.get(id) })), more }
}

async function changeAccess(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { service, visitor, by } = visit
  const member = await manage(visit)
  const project = await requireVisitorProject(service, visitor, form.get('project') ?? '')
  const open = form.get('open') === 'yes'
  await (open ? openToMember : closeToMember)(service, project, member, by)
  return toPlace(`${LIST}/${member.id}`, open ? 'project.opened' : 'project.closed')
}

async function change(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { service, visitor, by } = visit
  const role = requireRole(form.get('role') ?? '')
  const member = await manage(visit, role)
  const department = await findDepartment(service, visitor.account, (form.get('department') ?? member.departmentId) || undefined)
  if (role !== member.role) await changeRole(service, member, role, by)
  if ((department?.id ?? null) !== member.departmentId) await moveMember(service, member, department, by)
  return toPlace(member.id === visitor.member.id ? '/console' : LIST, 'member.changed')
}

/** The answer to the form itself shows the link: no other page could. */
async function link(visit: Visit): Promise<Response> {
  const { service, by } = visit
  const member = await manage(visit)
  const address = `${originOf(visit)}${ENTRY_PATH}${await makeEntryLink(service, member, by)}`
  const heading = 'The sign-in link'
  const body = toNewLink({ heading, email: member.email, link: address, expiresAt: service.clock.now() + LINK_LIFETIME, at: LIST })
  return toConsolePage(visit, {}, { title: heading, section: LIST, body })
}

async function remove(visit: Visit): Promise<Response> {
  await removeMember(visit.service, await manage(visit), visit.by)
  return toPlace(LIST, 'member.removed')
}

/** The member of the visitor's account that the path names. */
async function findMember({ service, visitor, params }: Visit): Promise<Member> {
  requireManager(visitor)
  return requireMember(service, params.member ?? '', visitor.account)
}

/** The same, whom the visitor may change, and give this role. */
async function manage(visit: Visit, ...roles: Role[]): Promise<Member> {
  const member = await findMember(visit)
  requireMayChange(visit.visitor, member.role, ...roles)
  return member
}
