import { mayManage } from '../../account/auth/actor.ts'
import {
  addDepartment,
  findDepartment,
  removeDepartment,
  renameDepartment,
  requireDepartment,
} from '../../account/organizations/department.ts'
import { INVITATION_PATH, inviteMember, withdrawInvitation } from '../../account/organizations/invitation.ts'
import { requireRole } from '../../account/organizations/names.ts'
import { type Person, readPeople } from '../../account/organizations/people.ts'
import { decideEmailChange } from '../../account/organizations/profile.ts'
import { listVisibleProjects, readAccess, requireManagedProject } from '../../account/organizations/project-access.ts'
import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { type ByStatus, countByAuthor, NO_RECORDS } from '../../memory/overview/read-lines.ts'
import { STATUSES } from '../../memory/records/record.ts'
import type { Member, Project } from '../../store/account.ts'
import { atField } from '../form.ts'
import { toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, numeric, short, toCountedHeading, toCountedTitle, toTable } from '../markup/table.ts'
import { type Answer, done, type Page, type PageContent, type PageRequest, toBaseUrl } from '../page.ts'
import { PAGE_SIZE, toQueryPath } from '../paging.ts'
import { redirectUndoable } from '../response.ts'
import { type SortedColumn, sortPage, toSortedTable } from '../sorted-table.ts'
import {
  type RecordCounts,
  type ShownPeople,
  toCountNote,
  toDepartment,
  toDepartments,
  toEmailRequests,
  toInvitations,
  toLabel,
  toNewLink,
} from './people-sections.ts'

/** The page of members, invitations and departments, for owners and admins. */
export const people: Page = {
  path: '/console/people',
  show: showPeople,
  forms: {
    '/invitations': invite,
    '/invitations/withdraw': done('invitation.withdrawn', ({ service, visitor, actor }, form) =>
      withdrawInvitation(service, actor, { account: visitor.account, email: form.get('address') ?? '' }),
    ),
    '/addresses': decide,
    '/departments': add,
    '/departments/rename': rename,
    '/departments/remove': remove,
  },
}

/** Shows the link, which cannot be shown again. */
async function invite(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, at } = req
  const role = requireRole(form.get('role') ?? '')
  const email = form.get('email') ?? ''
  const department = await findDepartment(service, actor, visitor.account, form.get('department') || undefined)
  const ids = form.getAll('project').slice(0, PAGE_SIZE)
  const projects = await Promise.all(ids.map((id) => requireManagedProject(service, actor, id)))
  const input = { email, role, department, projects, validityMs: readDays(form) * DAY_MS }
  const { token, invitation } = await inviteMember(service, actor, { account: visitor.account, ...input })
  return toNewLink('Invitation link', { ...invitation, link: `${toBaseUrl(req)}${INVITATION_PATH}${token}`, at })
}

/** Confirms or declines the e-mail address that the page showed. */
async function decide({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Answer> {
  const isConfirmed = form.get('confirmed') === 'yes'
  const [memberId, email] = [form.get('member') ?? '', form.get('address') ?? '']
  await decideEmailChange(service, actor, { accountId: visitor.account.id, memberId, email, isConfirmed })
  return isConfirmed ? 'address.confirmed' : 'address.declined'
}

/** Adds a department, or brings a removed one back, whose records are then seen again. */
async function add(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, isUndo, at } = req
  const id = isUndo ? (form.get('id') ?? undefined) : undefined
  const added = await addDepartment(service, actor, { account: visitor.account, name: form.get('name') ?? '', id })
  return redirectUndoable(req, 'department.added', {
    action: `${at}/departments/remove`,
    fields: { department: added.id },
  })
}

async function rename(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor } = req
  const [which, name] = [form.get('which') ?? '', form.get('to') ?? '']
  const department = await atField('which', () => requireDepartment(service, actor, visitor.account, which))
  await atField('to', () => renameDepartment(service, actor, { department, name }))
  return redirectUndoable(req, 'department.renamed', { fields: { which: department.id, to: department.name } })
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Answer> {
  const { service, visitor, actor, at } = req
  const department = await requireDepartment(service, actor, visitor.account, form.get('department') ?? '')
  await removeDepartment(service, actor, department)
  const { id, name } = department
  return redirectUndoable(req, 'department.removed', { action: `${at}/departments`, fields: { id, name } })
}

function readDays(form: URLSearchParams): number {
  const text = (form.get('days') ?? '').trim()
  if (!/^\d{1,4}$/.test(text)) throw new Refusal('the days a link is valid must be a whole number', 'days')
  return Number(text)
}

/** The members, invitations and departments of an account. */
async function showPeople(req: PageRequest): Promise<PageContent> {
  const { service, visitor, actor, at } = req
  const found = await readPeople(service, actor, visitor.account.id)
  const all = await listVisibleProjects(service, visitor)
  const projects = all.slice(0, PAGE_SIZE)
  const counted = await countByAuthor(service, actor, projects)
  const own = await readAccess(service.store.control, visitor.member, service.clock.now())
  const toOpen = projects.map((project) => ({ project, isOwn: own.has(project.id) || projects.length === 1 }))
  const [isOwner, now] = [visitor.member.role === 'owner', service.clock.now()]
  const page: ShownPeople = { ...found, projects: toOpen, at, isOwner, now }
  const columns = toColumns(page)
  const rows = found.members.map((person) => toPersonRow(person, counted))
  const shown = sortPage(req, columns, rows)
  const body = html`${toCountedTitle('People', found.members.length)}
${toSortedTable(req, { caption: 'Members of the account', columns, ...shown, empty: 'No members.' })}
${toCountNote(projects, counted, all.length - projects.length)}
${toEmailRequests(page)}
${toInvitations(page)}
${toDepartments(page)}
${toFormer(found.former, projects, counted)}`
  return { title: 'People', body }
}

type PersonRow = Person & ByStatus

/** A person with the records of theirs that the visitor sees, of all projects. */
function toPersonRow(person: Person, counted: RecordCounts): PersonRow {
  const row = { ...person, ...NO_RECORDS }
  for (const authors of counted.values())
    for (const status of STATUSES) row[status] += authors.get(person.id)?.[status] ?? 0
  return row
}

function toColumns({ at, departments }: ShownPeople): SortedColumn<PersonRow>[] {
  return [
    {
      head: long('Name'),
      cell: ({ id, name, email }) =>
        html`<a href="${at}/${id}"><bdi>${name}</bdi></a><small class="under"><bdi>${email}</bdi></small>`,
      by: ({ name }) => name,
      isText: true,
    },
    {
      head: short('Role'),
      cell: ({ role, departmentId }) =>
        html`${role}${departmentId === null ? undefined : html`<small class="under">${toDepartment(departments, departmentId)}</small>`}`,
      by: ({ role, departmentId }) => `${role} ${departments.find(({ id }) => id === departmentId)?.name ?? ''}`,
      isText: true,
    },
    { head: 'Last seen', cell: ({ lastSeenAt }) => toTime(lastSeenAt), by: ({ lastSeenAt }) => lastSeenAt },
    { head: numeric('Projects'), cell: toProjectCount, by: (one) => (mayManage(one) ? null : countProjects(one)) },
    { head: numeric('Keys'), cell: ({ keys }) => toCount(keys.length), by: ({ keys }) => keys.length },
    ...STATUSES.map((status) => ({
      head: numeric(toLabel(status)),
      cell: (row: PersonRow) => toCount(row[status]),
      by: (row: PersonRow) => row[status],
    })),
  ]
}

const toProjectCount = (person: Person) => (mayManage(person) ? 'all' : toCount(countProjects(person)))
const countProjects = ({ keys, opened }: Person) => new Set([...opened, ...keys.map(({ projectId }) => projectId)]).size

/** Former members, and where their records are. */
function toFormer(former: Member[], projects: Project[], counted: RecordCounts): Html | undefined {
  if (former.length === 0) return undefined
  const rows = former
    .slice(0, PAGE_SIZE)
    .map(({ id, name, removedAt }) => [
      html`<bdi>${name}</bdi>`,
      toTime(removedAt),
      html`${projects.map((project) => toRecordsOf(project, name, counted.get(project.id)?.get(id)))}`,
    ])
  return html`<section>${toCountedHeading('Removed', former.length)}
<p class="quiet">Their records are signed “former member”; their names still find them.</p>
${toTable('People who were removed', [long('Name'), 'Removed', long('Records')], rows)}
${former.length > PAGE_SIZE ? html`<p class="quiet">The ${PAGE_SIZE} removed last are shown. <code>memsvc member list --removed</code> lists all.</p>` : undefined}
</section>`
}

function toRecordsOf(project: Project, author: string, found: ByStatus = NO_RECORDS): Html {
  const count = STATUSES.reduce((sum, status) => sum + found[status], 0)
  const path = toQueryPath(`/console/projects/${project.id}/records`, { author })
  return count === 0 ? html`` : html`<a href="${path}"><bdi>${project.name}</bdi>: ${toCount(count)}</a> `
}
