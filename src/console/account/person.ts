import { mayManage } from '../../account/auth/authorize.ts'
import { ENTRY_PATH, LINK_LIFETIME_MS, makeEntryLink } from '../../account/auth/entry-link.ts'
import { changeMember } from '../../account/organizations/change-member.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { requireRole } from '../../account/organizations/names.ts'
import {
  closeToMember,
  listVisibleProjects,
  openToMember,
  type ProjectAccess,
  readAccess,
  requireVisibleProject,
} from '../../account/organizations/project-access.ts'
import { removeMemberAndHistories } from '../../history/erase/purge.ts'
import type { Department, Member } from '../../store/account.ts'
import { requireTypedName } from '../form.ts'
import { toButton, toSelect, toTypedRemoval } from '../markup/form.ts'
import { toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, toBadge, toFacts, toTable } from '../markup/table.ts'
import { type Answer, type PageContent, type PageRequest, pageOf, toBaseUrl } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import { redirect } from '../response.ts'
import { toDepartment, toDepartmentOptions, toNewLink, toRoleOptions } from './people-sections.ts'

const LIST = '/console/people'

/** The page of one member, for owners and admins. */
export const person = pageOf(findMember, {
  path: `${LIST}/:member`,
  show: showPerson,
  forms: { '': change, '/projects': changeAccess, '/link': { act: link, isOnce: true }, '/remove': remove },
})

type MemberRequest = PageRequest & { member: Member }

/** The member of the visitor's account that the path names. */
async function findMember({ service, visitor, actor, params }: PageRequest) {
  return { member: await requireMember(service, actor, params.member ?? '', visitor.account) }
}

async function changeAccess(
  { service, visitor, actor, member }: MemberRequest,
  form: URLSearchParams,
): Promise<Answer> {
  const project = await requireVisibleProject(service, visitor, form.get('project') ?? '')
  const open = form.get('open') === 'yes'
  await (open ? openToMember : closeToMember)(service, actor, { project, member })
  return open ? 'project.opened' : 'project.closed'
}

async function change({ service, visitor, actor, member }: MemberRequest, form: URLSearchParams): Promise<Answer> {
  const role = requireRole(form.get('role') ?? '')
  const department = await findDepartment(
    service,
    actor,
    visitor.account,
    (form.get('department') ?? member.departmentId) || undefined,
  )
  await changeMember(service, actor, { member, role, department })
  return redirect(member.id === visitor.member.id ? '/console' : LIST, 'member.changed')
}

/** Shows the link, which cannot be shown again. */
async function link(req: MemberRequest): Promise<Answer> {
  const { service, actor, member } = req
  const url = `${toBaseUrl(req)}${ENTRY_PATH}${await makeEntryLink(service, actor, member)}`
  const expiresAt = service.clock.now() + LINK_LIFETIME_MS
  return toNewLink('The sign-in link', { email: member.email, link: url, expiresAt, at: LIST })
}

async function remove({ service, actor, member }: MemberRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, member.email)
  await removeMemberAndHistories(service, actor, member)
  return redirect(LIST, 'member.removed')
}

/** One member: role, department, projects, sign-in link and removal. */
async function showPerson(req: MemberRequest): Promise<PageContent> {
  const { service, visitor, member } = req
  const { control } = service.store
  const isOwner = visitor.member.role === 'owner'
  const departments = await control.list('departments', { accountId: visitor.account.id })
  const [used] = await control.list('keys', { memberId: member.id }, { by: 'lastUsedAt', newestFirst: true, limit: 1 })
  const lastUsedAt = used?.lastUsedAt ?? null
  const body = html`<p class="back"><a href="${LIST}">All people</a></p>
<h1><bdi>${member.name}</bdi></h1>
${toFacts([
  ['E-mail', html`<bdi>${member.email}</bdi>`],
  ['Role', member.role],
  ['Department', toDepartment(departments, member.departmentId)],
  ['Since', toExactTime(member.createdAt)],
  ['Last key use', lastUsedAt === null ? 'never' : toExactTime(lastUsedAt)],
])}
${mayManage(member) ? undefined : await toProjects(req)}
${isOwner || member.role !== 'owner' ? toActions(req, departments, isOwner) : html`<p>Only an owner may change an owner.</p>`}`
  return { title: member.name, section: LIST, body }
}

/** The account's projects and the member's access to each; owners and admins have access to all. */
async function toProjects(req: MemberRequest): Promise<Html> {
  const { service, visitor, at, member } = req
  const access = await readAccess(service.store.control, member, service.clock.now())
  const { rows, more } = paginate(req, await listVisibleProjects(service, visitor))
  const cells = rows.map(({ id, name }) => [
    html`<a href="/console/projects/${id}"><bdi>${name}</bdi></a>`,
    toAccessBadge(access.get(id)),
    toAccessButton(`${at}/projects`, { id, name, access: access.get(id) }),
  ])
  return html`<section><h2>Projects</h2>
<p class="quiet">In a project that is open to them they see the shared records and those of their department, and can issue keys for themselves.</p>
${toTable('Projects of the account', [long('Project'), 'Open to them', ACTIONS], cells, 'The account has none.')}
${toPageLink(more, 'More')}
</section>`
}

function toAccessBadge(access: ProjectAccess | undefined): Html {
  if (access === undefined) return toBadge('no')
  return access === 'key' ? html`<span>${toBadge('yes', 'good')} by a key they hold</span>` : toBadge('yes', 'good')
}

/** Empty if the member holds an active key of the project: removing access here would have no effect. */
function toAccessButton(
  action: string,
  { id, name, access }: { id: string; name: string; access: ProjectAccess | undefined },
) {
  if (access === 'key') return ''
  const open = access === undefined
  return toButton(action, open ? 'Open' : 'Close', { fields: { project: id, open: open ? 'yes' : 'no' }, about: name })
}

const DEPARTMENT_HINT =
  'From the next call on they see the records of the new one. What they saved stays with the department it was saved for.'

function toActions({ at, member }: MemberRequest, departments: Department[], isOwner: boolean): Html {
  const { name, email, role, departmentId } = member
  return html`<section class="panel"><h2>Role and department</h2>
<form method="post" action="${at}">
${toSelect({ name: 'role', label: 'Role', value: role }, toRoleOptions(isOwner))}
${toSelect({ name: 'department', label: 'Department', value: departmentId ?? '', hint: DEPARTMENT_HINT }, toDepartmentOptions(departments))}
<div class="actions"><button class="main">Save</button></div>
</form></section>
<section class="panel"><h2>Make a sign-in link</h2>
<p>It signs them in once, within 48 hours, and lets them choose a password; until then their old one works. The link is shown once, for you to send, and replaces any earlier one.</p>
<div class="actions">${toButton(`${at}/link`, 'Make the link', { isOnce: true, about: name })}</div>
</section>
<section class="panel"><h2>Remove</h2>
<p>Their keys, their connections and their sessions stop working at once. Session histories that they uploaded are erased for good. Their records stay, signed “former member”; nobody sees their drafts any more.</p>
${toTypedRemoval(`${at}/remove`, email, 'Remove')}
</section>`
}
