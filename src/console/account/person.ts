import { ENTRY_PATH, LINK_LIFETIME_MS, makeEntryLink } from '../../account/auth/entry-link.ts'
import { changeMember } from '../../account/organizations/change-member.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { requireRole } from '../../account/organizations/names.ts'
import { readPersons } from '../../account/organizations/people.ts'
import { changeAccess, listVisibleProjects, requireVisibleProject } from '../../account/organizations/project-access.ts'
import { removeMemberAndHistories } from '../../history/erase/purge.ts'
import { countByAuthor } from '../../memory/overview/read-lines.ts'
import type { Department, Member } from '../../store/account.ts'
import { pickChanged, readChanged, requireTypedName } from '../form.ts'
import { FORM_ID, toButton, toSelect, toShown } from '../markup/form.ts'
import { toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { type Answer, type PageContent, type PageRequest, pageOf, toBaseUrl } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import { redirect, redirectUndoable } from '../response.ts'
import { toDepartment, toDepartmentOptions, toNewLink, toRoleOptions } from './people-sections.ts'
import { type Shown, toKeys, toProjects, toRemoval } from './person-sections.ts'

const LIST = '/console/people'

/** The page of one member, for owners and admins. */
export const person = pageOf(findMember, {
  path: `${LIST}/:member`,
  show: showPerson,
  forms: { '': change, '/projects': switchAccess, '/link': link, '/remove': remove },
})

type MemberRequest = PageRequest & { member: Member }

/** The member of the visitor's account that the path names. */
async function findMember({ service, visitor, actor, params }: PageRequest) {
  return { member: await requireMember(service, actor, params.member ?? '', visitor.account) }
}

async function switchAccess(req: MemberRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, member } = req
  const project = await requireVisibleProject(service, visitor, form.get('project') ?? '')
  const isOpen = form.get('open') === 'yes'
  await changeAccess(service, actor, { project, member, isOpen })
  const fields = { project: project.id, open: isOpen ? 'no' : 'yes' }
  return redirectUndoable(req, isOpen ? 'project.opened' : 'project.closed', { fields })
}

async function change(req: MemberRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, member } = req
  const changed = readChanged(form)
  const [role, ref] = [changed.get('role'), changed.get('department')]
  await changeMember(service, actor, {
    member,
    ...(role !== null && { role: requireRole(role) }),
    ...(ref !== null && {
      department: (await findDepartment(service, actor, visitor.account, ref || undefined)) ?? null,
    }),
  })
  // Who gives up a role of their own may not take it back.
  if (member.id === visitor.member.id) return redirect('/console', 'member.changed')
  return redirectUndoable(req, 'member.changed', { fields: pickChanged(changed, toShownFields(member)) })
}

/** Shows the link, which cannot be shown again. */
async function link(req: MemberRequest): Promise<Answer> {
  const { service, actor, member } = req
  const url = `${toBaseUrl(req)}${ENTRY_PATH}${await makeEntryLink(service, actor, member)}`
  const expiresAt = service.clock.now() + LINK_LIFETIME_MS
  return toNewLink('Sign-in link', { email: member.email, link: url, expiresAt, at: LIST })
}

async function remove({ service, actor, member }: MemberRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, member.email)
  await removeMemberAndHistories(service, actor, member)
  return redirect(LIST, 'member.removed')
}

/** One member: role, department, projects, keys, records, sign-in link and removal. */
async function showPerson(req: MemberRequest): Promise<PageContent> {
  const { service, visitor, actor, member } = req
  const isOwner = visitor.member.role === 'owner'
  const departments = await service.store.control.list('departments', { accountId: visitor.account.id })
  const [person] = await readPersons(service, [member])
  const all = await listVisibleProjects(service, visitor)
  const { rows: projects, more } = paginate(req, all)
  const counted = await countByAuthor(service, actor, projects)
  const shown: Shown = {
    person: person ?? { ...member, keys: [], opened: [], lastSeenAt: null },
    projects,
    count: all.length,
    counted,
  }
  const mayChange = isOwner || member.role !== 'owner'
  const body = html`<p class="back"><a href="${LIST}">All people</a></p>
<h1><bdi>${member.name}</bdi></h1>
${toFacts([
  ['E-mail', html`<bdi>${member.email}</bdi>`],
  ['Role', member.role],
  ['Department', toDepartment(departments, member.departmentId)],
  ['Since', toExactTime(member.createdAt)],
  ['Last seen', shown.person.lastSeenAt === null ? 'never' : toExactTime(shown.person.lastSeenAt)],
])}
${toProjects(req.at, shown)}
${toPageLink(more, 'More')}
${toKeys(shown.person.keys, all)}
${mayChange ? toActions(req, departments, isOwner) : html`<p>Only an owner may change an owner.</p>`}
${mayChange ? toRemoval(req.at, shown, await countEnding(req)) : undefined}`
  return { title: member.name, section: LIST, body }
}

const DEPARTMENT_HINT =
  'They see the records of the new department from the next call on. What they saved stays with the old one.'

const toShownFields = ({ role, departmentId }: Member) => ({ role, department: departmentId ?? '' })

function toActions({ at, member }: MemberRequest, departments: Department[], isOwner: boolean): Html {
  const { name } = member
  const shown = toShownFields(member)
  return html`<section class="panel"><h2>Role and department</h2>
<form method="post" action="${at}">${FORM_ID}${toShown(shown)}
${toSelect({ name: 'role', label: 'Role', value: shown.role }, toRoleOptions(isOwner))}
${toSelect({ name: 'department', label: 'Department', value: shown.department, hint: DEPARTMENT_HINT }, toDepartmentOptions(departments))}
<div class="actions"><button class="main">Save</button></div>
</form></section>
<section class="panel"><h2>Make a sign-in link</h2>
<p>It signs them in once, within 48 hours, and lets them choose a password; until then, the old password works. The link is shown once, for you to send, and replaces earlier ones.</p>
<div class="actions">${toButton(`${at}/link`, 'Make the link', { about: name })}</div>
</section>`
}

/** How many connections and sessions of theirs would end. */
async function countEnding({ service, visitor, member }: MemberRequest) {
  const { control } = service.store
  const connections = await control.listConnections({ accountId: visitor.account.id, memberId: member.id })
  const sessions = await control.count('sessions', { memberId: member.id, expiresAt: { after: service.clock.now() } })
  return { connections: connections.length, sessions }
}
