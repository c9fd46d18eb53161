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
import { removeMemberAndHistories } from '../../history/erase/remove-owner.ts'
import type { Department, Member } from '../../store/account.ts'
import { newFormId } from '../double-submit.ts'
import { requireTypedName, typedValue } from '../form.ts'
import { toButton, toSelect, toTypedRemoval } from '../markup/form.ts'
import { toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toFacts, toTable } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { paginate, toMoreLink } from '../paging.ts'
import { type FormState, type PageRequest, toBaseUrl, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { toNewLink } from './new-link.ts'
import { toDepartment, toDepartmentOptions, toRoleOptions } from './people-sections.ts'

const LIST = '/console/people'

/** The page of one member, for owners and admins. */
export const person = pageOf(findMember, {
  path: `${LIST}/:member`,
  show: showPerson,
  forms: { '': change, '/projects': changeAccess, '/link': { act: link, isOnce: true }, '/remove': remove },
})

async function showPerson(req: MemberRequest, state: FormState): Promise<Response> {
  const { service, visitor, member } = req
  const { control } = service.store
  const isOwner = visitor.member.role === 'owner'
  const listed = mayManage(member) ? undefined : await readProjects(req, member)
  const [lastUsed] = await control.list('keys', { memberId: member.id }, { by: 'lastUsedAt', newestFirst: true, limit: 1 })
  const body = toPerson({
    member,
    departments: await control.list('departments', { accountId: visitor.account.id }),
    lastUsedAt: lastUsed?.lastUsedAt ?? null,
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

async function changeAccess({ service, visitor, actor, member }: MemberRequest, form: URLSearchParams): Promise<Response> {
  const project = await requireVisibleProject(service, visitor, form.get('project') ?? '')
  const open = form.get('open') === 'yes'
  await (open ? openToMember : closeToMember)(service, actor, { project, member })
  return redirect(`${LIST}/${member.id}`, open ? 'project.opened' : 'project.closed')
}

async function change({ service, visitor, actor, member }: MemberRequest, form: URLSearchParams): Promise<Response> {
  const role = requireRole(form.get('role') ?? '')
  const department = await findDepartment(service, actor, visitor.account, (form.get('department') ?? member.departmentId) || undefined)
  await changeMember(service, actor, { member, role, department })
  return redirect(member.id === visitor.member.id ? '/console' : LIST, 'member.changed')
}

/** Shows the link, which cannot be shown again. */
async function link(req: MemberRequest): Promise<Response> {
  const { service, actor, member } = req
  const url = `${toBaseUrl(req)}${ENTRY_PATH}${await makeEntryLink(service, actor, member)}`
  const heading = 'The sign-in link'
  const body = toNewLink({ heading, email: member.email, link: url, expiresAt: service.clock.now() + LINK_LIFETIME_MS, at: LIST })
  return toConsolePage(req, {}, { title: heading, section: LIST, body })
}

async function remove({ service, actor, member }: MemberRequest, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, member.email)
  await removeMemberAndHistories(service, actor, member)
  return redirect(LIST, 'member.removed')
}

type MemberRequest = PageRequest & { member: Member }

/** The member of the visitor's account that the path names. */
async function findMember({ service, visitor, actor, params }: PageRequest): Promise<{ member: Member }> {
  return { member: await requireMember(service, actor, params.member ?? '', visitor.account) }
}

type PersonPage = {
  member: Member
  departments: Department[]
  /** When one of their keys was last used. */
  lastUsedAt: number | null
  /** The values of the form for role and department. */
  role: string
  department: string
  /** The account's projects and the member's access to each; undefined for owners and admins, who have access to all. */
  projects: { id: string; name: string; access: ProjectAccess | undefined }[] | undefined
  more: string | undefined
  /** Whether the visitor may change this member. */
  isChangeable: boolean
  /** Whether the visitor is an owner, who may also make owners. */
  isOwner: boolean
  /** The id of the form that makes a sign-in link, against double submission. */
  formId: string
}

/** One member: role, department, projects, sign-in link and removal. */
export function toPerson(page: PersonPage): Html {
  const { member, departments, lastUsedAt, isChangeable } = page
  return html`<p class="back"><a href="/console/people">All people</a></p>
<h1><bdi>${member.name}</bdi></h1>
${toFacts([
  ['E-mail', html`<bdi>${member.email}</bdi>`],
  ['Role', member.role],
  ['Department', toDepartment(departments, member.departmentId)],
  ['Since', toExactTime(member.createdAt)],
  ['Last key use', lastUsedAt === null ? 'never' : toExactTime(lastUsedAt)],
])}
${toProjects(page)}
${isChangeable ? toActions(page) : html`<p>Only an owner may change an owner.</p>`}`
}

const PROJECT_COLUMNS: Column[] = [{ label: 'Project', look: 'long' }, { label: 'Open to them' }, ACTIONS_COLUMN]

function toProjects({ member, projects, more }: PersonPage): Html | undefined {
  if (projects === undefined) return undefined
  const rows = projects.map(({ id, name, access }) => [
    html`<a href="/console/projects/${id}"><bdi>${name}</bdi></a>`,
    toAccessBadge(access),
    toAccessButton(`/console/people/${member.id}/projects`, { id, name, access }),
  ])
  return html`<section><h2>Projects</h2>
<p class="quiet">In a project that is open to them they see the shared records and those of their department, and can issue keys for themselves.</p>
${toTable('Projects of the account', PROJECT_COLUMNS, rows, 'The account has none.')}
${toMoreLink(more)}
</section>`
}

function toAccessBadge(access: ProjectAccess | undefined): Html {
  if (access === undefined) return toBadge('no')
  return access === 'key' ? html`<span>${toBadge('yes', 'good')} by a key they hold</span>` : toBadge('yes', 'good')
}

/** Empty if the member holds an active key of the project: removing access here would have no effect. */
function toAccessButton(action: string, { id, name, access }: { id: string; name: string; access: ProjectAccess | undefined }): Html {
  if (access === 'key') return html``
  const open = access === undefined
  return toButton(action, open ? 'Open' : 'Close', { fields: { project: id, open: open ? 'yes' : 'no' }, about: name })
}

function toActions({ member, departments, role, department, isOwner, formId }: PersonPage): Html {
  const path = `/console/people/${member.id}`
  return html`<section class="panel"><h2>Role and department</h2>
<form method="post" action="${path}">
${toSelect({ name: 'role', label: 'Role', value: role }, toRoleOptions(isOwner))}
${toSelect(
  {
    name: 'department',
    label: 'Department',
    value: department,
    hint: 'From the next call on they see the records of the new one. What they saved stays with the department it was saved for.',
  },
  toDepartmentOptions(departments),
)}
<div class="actions"><button class="main">Save</button></div>
</form></section>
<section class="panel"><h2>Make a sign-in link</h2>
<p>It signs them in once, within 48 hours, and lets them choose a password; until then their old one works. The link is shown once, for you to send, and replaces any earlier one.</p>
<div class="actions">${toButton(`${path}/link`, 'Make the link', { fields: { form: formId }, about: member.name })}</div>
</section>
<section class="panel"><h2>Remove</h2>
<p>Their keys, their connections and their sessions stop working at once. Session histories that they uploaded are erased for good. Their records stay, signed “former member”; nobody sees their drafts any more.</p>
${toTypedRemoval(`${path}/remove`, member.email, 'Remove')}
</section>`
}
