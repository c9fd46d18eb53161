import { Elysia } from 'elysia'
import { mayManage } from '../../../account/auth/authorize.ts'
import { ENTRY_PATH, LINK_LIFETIME_MS, makeEntryLink } from '../../../account/auth/entry-link.ts'
import { changeMember } from '../../../account/organizations/change-member.ts'
import { findDepartment } from '../../../account/organizations/department.ts'
import { requireMember } from '../../../account/organizations/member.ts'
import { requireRole } from '../../../account/organizations/names.ts'
import {
  closeToMember,
  listVisibleProjects,
  openToMember,
  readAccess,
  requireVisibleProject,
} from '../../../account/organizations/project-access.ts'
import { toNewLink } from '../../../console/account/new-link.ts'
import { toPerson } from '../../../console/account/person.ts'
import { removeMemberAndHistories } from '../../../history/erase/remove-owner.ts'
import type { Service } from '../../../service.ts'
import type { Member } from '../../../store/account.ts'
import { newFormId, onceForDoubleSubmit } from '../double-submit.ts'
import { requireTypedName, typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toBaseUrl, toConsolePage } from '../page-request.ts'
import { paginate } from '../paging.ts'

const LIST = '/console/people'
const PATH = `${LIST}/:member`

/** The page of one member, for owners and admins. */
export function person(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/person' })
    .get(PATH, page(service, showPerson))
    .post(PATH, action(service, change, showPerson), raw)
    .post(`${PATH}/projects`, action(service, changeAccess, showPerson), raw)
    .post(`${PATH}/link`, action(service, onceForDoubleSubmit(link), showPerson), raw)
    .post(`${PATH}/remove`, action(service, remove, showPerson), raw)
}

async function showPerson(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const { control } = service.store
  const member = await findMember(req)
  const isOwner = visitor.member.role === 'owner'
  const listed = mayManage(member) ? undefined : await readProjects(req, member)
  const body = toPerson({
    member,
    departments: await control.listDepartments(visitor.account.id),
    lastUsedAt: await control.findLastKeyUse(member.id),
    role: typedValue(state, 'role', member.role),
    department: typedValue(state, 'department', member.departmentId ?? ''),
    projects: listed?.projects,
    more: listed?.more,
    isChangeable: isOwner || member.role !== 'owner',
    isOwner,
    formId: newFormId(req),
  })
  return toConsolePage(req, state, { title: member.name, section: LIST, body })
}

async function readProjects({ service, visitor, url }: PageRequest, member: Member) {
  const access = await readAccess(service.store.control, member, service.clock.now())
  const { rows, more } = paginate(url, `${LIST}/${member.id}`, await listVisibleProjects(service, visitor))
  return { projects: rows.map(({ id, name }) => ({ id, name, access: access.get(id) })), more }
}

async function changeAccess(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, visitor, actor } = req
  const member = await findMember(req)
  const project = await requireVisibleProject(service, visitor, form.get('project') ?? '')
  const open = form.get('open') === 'yes'
  await (open ? openToMember : closeToMember)(service, actor, { project, member })
  return redirect(`${LIST}/${member.id}`, open ? 'project.opened' : 'project.closed')
}

async function change(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, visitor, actor } = req
  const role = requireRole(form.get('role') ?? '')
  const member = await findMember(req)
  const department = await findDepartment(service, actor, visitor.account, (form.get('department') ?? member.departmentId) || undefined)
  await changeMember(service, actor, { member, role, department })
  return redirect(member.id === visitor.member.id ? '/console' : LIST, 'member.changed')
}

/** Shows the link, which cannot be shown again. */
async function link(req: PageRequest): Promise<Response> {
  const { service, actor } = req
  const member = await findMember(req)
  const url = `${toBaseUrl(req)}${ENTRY_PATH}${await makeEntryLink(service, actor, member)}`
  const heading = 'The sign-in link'
  const body = toNewLink({ heading, email: member.email, link: url, expiresAt: service.clock.now() + LINK_LIFETIME_MS, at: LIST })
  return toConsolePage(req, {}, { title: heading, section: LIST, body })
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const member = await findMember(req)
  requireTypedName(form, member.email)
  await removeMemberAndHistories(req.service, req.actor, member)
  return redirect(LIST, 'member.removed')
}

/** The member of the visitor's account that the path names. */
async function findMember({ service, visitor, actor, params }: PageRequest): Promise<Member> {
  return requireMember(service, actor, params.member ?? '', visitor.account)
}
