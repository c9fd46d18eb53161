import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import type { People } from '../../account/organizations/people.ts'
import { toLoopbackNote } from '../../loopback.ts'
import type { ByStatus, countByAuthor } from '../../memory/overview/read-lines.ts'
import type { Department, Member, Project, Role } from '../../store/account.ts'
import {
  FORM_ID,
  type Option,
  toButton,
  toConfirmButton,
  toField,
  toFlag,
  toNameForm,
  toOptions,
  toSelect,
} from '../markup/form.ts'
import { countOf, toExactTime, toTime } from '../markup/format.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import {
  ACTIONS,
  type Column,
  long,
  namedOptions,
  numeric,
  short,
  toBadge,
  toCountedHeading,
  toFold,
  toListWithFold,
  toTable,
} from '../markup/table.ts'
import type { PageContent } from '../page.ts'

/** The people of an account as one of its owners or admins sees them. */
export type ShownPeople = People & {
  /** The path of the page. */
  at: string
  /** The projects that an invitation can open, and whether it does so unless that is changed. */
  projects: { project: Project; isOwn: boolean }[]
  /** Whether the visitor is an owner, who may also make and change owners. */
  isOwner: boolean
  now: number
}

const ROLE_COLUMNS: Column[] = [short('Role'), long('Department')]

/**
 * The addresses to confirm, if there are any. Each form posts the displayed one, so that an address changed meanwhile
 * is not confirmed unseen.
 */
export function toEmailRequests({ at, emailChanges, isOwner }: ShownPeople): Html | undefined {
  if (emailChanges.length === 0) return undefined
  const rows = emailChanges.map(({ member, email, requestedAt }) => [
    html`<a href="${at}/${member.id}"><bdi>${member.name}</bdi></a>`,
    html`<bdi>${member.email}</bdi>`,
    html`<bdi>${email}</bdi>`,
    toTime(requestedAt),
    isOwner || member.role !== 'owner' ? toDecisionButtons(`${at}/addresses`, member, email) : '',
  ])
  const columns = [long('Member'), long('Current address'), long('New address'), 'Since', ACTIONS]
  return html`<section>${toCountedHeading('Addresses to confirm', rows.length)}
<p class="quiet">People sign in with this address: confirm only one that you know is theirs.</p>
${toTable('Members who want another address', columns, rows)}
</section>`
}

function toDecisionButtons(action: string, { id, name }: Member, address: string): Html {
  const about = `${address} for ${name}`
  const fields = (confirmed: string) => ({ member: id, address, confirmed })
  return html`${toButton(action, 'Confirm', { fields: fields('yes'), look: 'main', about })}${toButton(action, 'Decline', { fields: fields('no'), about })}`
}

const ROLE_LABELS: Record<Role, string> = {
  member: 'member',
  admin: 'admin: manages projects, people and integrations',
  owner: 'owner: also makes owners, renames the account, removes projects',
}

/** The roles that a visitor may give: an admin all but owner. */
export function toRoleOptions(isOwner: boolean): Option[] {
  return toOptions(ROLE_LABELS).filter(({ value }) => isOwner || value !== 'owner')
}

/** No department, or one of these. */
export function toDepartmentOptions(departments: Department[]): Option[] {
  return [{ value: '', label: 'none' }, ...namedOptions(departments)]
}

/** The name of a member's department. */
export function toDepartment(departments: Department[], id: string | null): Html {
  const found = departments.find((department) => department.id === id)
  return found === undefined ? html`none` : html`<bdi>${found.name}</bdi>`
}

export function toInvitations(page: ShownPeople): Html {
  const { at, invitations, departments, projects, isOwner, now } = page
  const rows = invitations.map(({ email, role, departmentId, projectIds, createdAt, expiresAt }) => [
    html`<bdi>${email}</bdi>`,
    role,
    toDepartment(departments, departmentId),
    toProjectNames(projects, projectIds),
    toTime(createdAt),
    expiresAt > now ? toTime(expiresAt) : toBadge('expired', 'warn'),
    isOwner || role !== 'owner'
      ? toButton(`${at}/invitations/withdraw`, 'Withdraw', { fields: { address: email }, about: email })
      : '',
  ])
  const columns = [long('E-mail'), ...ROLE_COLUMNS, long('Projects'), 'Created', 'Valid until', ACTIONS]
  const list = toTable('Open invitations', columns, rows, 'No open invitations.')
  const fold = toFold('Invite a person', { actions: [`${at}/invitations`] }, toInvitationForm(page))
  return html`<section>${toCountedHeading('Invitations', rows.length)}
${toListWithFold(list, fold, rows.length === 0)}
</section>`
}

const toProjectNames = (projects: ShownPeople['projects'], ids: string[]): Html => {
  const names = projects.flatMap(({ project }) => (ids.includes(project.id) ? [project.name] : []))
  return names.length === 0 ? html`none` : html`<bdi>${names.join(', ')}</bdi>`
}

function toInvitationForm({ at, departments, projects, isOwner }: ShownPeople): Html {
  return html`<p class="quiet">You get a link to send. It works once and is shown once; a new one for the same address replaces it.</p>
<form method="post" action="${at}/invitations">${FORM_ID}
${toField({ name: 'email', label: 'E-mail address', type: 'email', required: true })}
${toSelect({ name: 'role', label: 'Role', value: 'member' }, toRoleOptions(isOwner))}
${toSelect({ name: 'department', label: 'Department' }, toDepartmentOptions(departments))}
${toProjectBoxes(projects)}
${toField({ name: 'days', label: 'Days the link is valid', type: 'number', value: '7', required: true, hint: 'At most 30.' })}
<div class="actions"><button class="main">Make the link</button></div>
</form>`
}

/** The projects that are opened to the person once they join; owners and admins see all without that. */
function toProjectBoxes(projects: ShownPeople['projects']): Html | undefined {
  if (projects.length === 0) return undefined
  const toBox = ({ project: { id, name }, isOwn }: ShownPeople['projects'][number]) =>
    inContext(({ refused: { fields } = {} }) => {
      const isTicked = fields === undefined ? isOwn : fields.has('project', id)
      return html`<div class="tick"><input id="project-${id}" name="project" type="checkbox" value="${id}"${toFlag('checked', isTicked)}><label for="project-${id}"><bdi>${name}</bdi></label></div>\n`
    })
  return html`<fieldset class="field"><legend>Projects open to them</legend>
${projects.map(toBox)}</fieldset>`
}

const REMOVAL_EFFECT = 'Records saved for it stay, but nobody sees them. A department with members cannot be removed.'

export function toDepartments({ at, departments, members }: ShownPeople): Html {
  const byDepartment = Map.groupBy(members, ({ departmentId }) => departmentId)
  const rows = departments.map(({ id, name, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    byDepartment.get(id)?.length ?? 0,
    toTime(createdAt),
    toConfirmButton(`${at}/departments/remove`, 'Remove', REMOVAL_EFFECT, { fields: { department: id }, about: name }),
  ])
  return html`<section>${toCountedHeading('Departments', rows.length)}
<p class="quiet">A department has records of its own, which nobody else sees.</p>
${toTable('Departments of the account', [long('Name'), numeric('Members'), 'Created', ACTIONS], rows, 'No departments.')}
<div class="row">${toFold('Add a department', { actions: [`${at}/departments`] }, toNameForm(`${at}/departments`, '', 'Add'))}
${departments.length === 0 ? undefined : toRenameForm(`${at}/departments/rename`, departments)}</div>
</section>`
}

function toRenameForm(action: string, departments: Department[]): Html {
  const fields = html`<form method="post" action="${action}" class="line">${FORM_ID}
${toSelect({ name: 'which', label: 'Department' }, namedOptions(departments))}
${toField({ name: 'to', label: 'New name', required: true, maxlength: MAX_NAME_CHARACTERS })}
<button class="main">Rename</button>
</form>`
  return toFold('Rename a department', { actions: [action] }, fields)
}

/** `at` is the path of the link to continue. */
type NewLink = { email: string; link: string; expiresAt: number; at: string }

/** Shows an invitation or sign-in link, the only time that it can be shown. */
export function toNewLink(title: string, { email, link, expiresAt, at }: NewLink): PageContent {
  const note = toLoopbackNote(link)
  const body = html`<h1>${title}</h1>
<p>Send it to <bdi>${email}</bdi>. It works once, until ${toExactTime(expiresAt)}, for anybody who has it, and is not shown again.</p>
<code class="secret">${link}</code>
${note && html`<p class="notice">${note}</p>`}
<div class="actions"><a class="button" href="${at}">I have copied it</a></div>`
  return { title, section: at, body }
}

/** Numbers of records by project and author. */
export type RecordCounts = Awaited<ReturnType<typeof countByAuthor>>

/** The heading of a column of records with a status. */
export const toLabel = (status: keyof ByStatus): string => status.charAt(0).toUpperCase() + status.slice(1)

/** Says what numbers of records are of, and which projects they lack; `others` is the number of those never counted. */
export function toCountNote(projects: Project[], counted: RecordCounts, others = 0): Html {
  const missing = projects.filter(({ id }) => !counted.has(id)).map(({ name }) => name)
  return html`<p class="quiet">Only records that you see are counted: no drafts of others.${missing.length === 0 ? undefined : html` Not counted yet: <bdi>${missing.join(', ')}</bdi>.`}${others > 0 ? ` Those of ${countOf(others, 'more project')} are not counted.` : undefined}</p>`
}
