import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import type { Department, Member, Role } from '../../store/account.ts'
import type { EmailChange, Invitation } from '../../store/sign-in.ts'
import {
  type Option,
  toButton,
  toConfirmButton,
  toField,
  toFold,
  toHiddenFields,
  toListWithFold,
  toNameForm,
  toOptions,
  toSelect,
} from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toTable } from '../markup/table.ts'
import { toMoreLink } from '../paging.ts'

const PATH = '/console/people'

/** The values of the forms about invitations (`email`, `role`, `department`, `days`) and departments (`name`; `which`, `to`). */
export type PeopleForm = { email: string; role: string; department: string; days: string; name: string; which: string; to: string }

type PeoplePage = {
  members: Member[]
  more: string | undefined
  /** How many members each department has. */
  counts: Map<string, number>
  invitations: Invitation[]
  /** Members who asked for another e-mail address, with the address. */
  emailChanges: (EmailChange & { member: Member })[]
  departments: Department[]
  /** Whether the visitor is an owner, who may also make and change owners. */
  isOwner: boolean
  now: number
  form: PeopleForm
  /** The id of the form that invites, against double submission. */
  formId: string
}

const ROLE_COLUMNS: Column[] = [
  { label: 'Role', look: 'short' },
  { label: 'Department', look: 'long' },
]
const MEMBER_COLUMNS: Column[] = [{ label: 'Name', look: 'long' }, { label: 'E-mail', look: 'long' }, ...ROLE_COLUMNS, { label: 'Since' }]
const INVITATION_COLUMNS: Column[] = [
  { label: 'E-mail', look: 'long' },
  ...ROLE_COLUMNS,
  { label: 'Created' },
  { label: 'Valid until' },
  ACTIONS_COLUMN,
]
const DEPARTMENT_COLUMNS: Column[] = [
  { label: 'Name', look: 'long' },
  { label: 'Members', look: 'number' },
  { label: 'Created' },
  ACTIONS_COLUMN,
]

/** The members, invitations and departments of an account. */
export function toPeople(page: PeoplePage): Html {
  const { members, more, departments } = page
  const rows = members.map((member) => [
    html`<a href="${PATH}/${member.id}"><bdi>${member.name}</bdi></a>`,
    html`<bdi>${member.email}</bdi>`,
    html`${member.role}`,
    toDepartment(departments, member.departmentId),
    toTime(member.createdAt),
  ])
  return html`<h1>People</h1>
${toTable('Members of the account', MEMBER_COLUMNS, rows, 'No members.')}
${toMoreLink(more)}
${page.emailChanges.length === 0 ? undefined : toEmailRequests(page)}
${toInvitations(page)}
${toDepartments(page)}`
}

const EMAIL_COLUMNS: Column[] = [
  { label: 'Member', look: 'long' },
  { label: 'Current address', look: 'long' },
  { label: 'New address', look: 'long' },
  { label: 'Since' },
  ACTIONS_COLUMN,
]

/** Each form posts the displayed address, so that an address changed meanwhile is not confirmed unseen. */
function toEmailRequests({ emailChanges, isOwner }: PeoplePage): Html {
  const rows = emailChanges.map(({ member, email, requestedAt }) => [
    html`<a href="${PATH}/${member.id}"><bdi>${member.name}</bdi></a>`,
    html`<bdi>${member.email}</bdi>`,
    html`<bdi>${email}</bdi>`,
    toTime(requestedAt),
    isOwner || member.role !== 'owner' ? toDecisionButtons(member, email) : html``,
  ])
  return html`<section><h2>Addresses to confirm</h2>
<p class="quiet">A member signs in with their address. Confirm only one that you know is theirs.</p>
${toTable('Members who want another address', EMAIL_COLUMNS, rows, '')}
</section>`
}

function toDecisionButtons({ id, name }: Member, email: string): Html {
  const fields = { member: id, address: email }
  const confirm = { fields: { ...fields, confirmed: 'yes' }, look: 'main' as const, about: `${email} for ${name}` }
  const decline = { fields: { ...fields, confirmed: 'no' }, about: `${email} for ${name}` }
  return html`${toButton(`${PATH}/addresses`, 'Confirm', confirm)}${toButton(`${PATH}/addresses`, 'Decline', decline)}`
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
  return [{ value: '', label: 'none' }, ...departments.map(({ id, name }) => ({ value: id, label: name }))]
}

/** The name of a member's department. */
export function toDepartment(departments: Department[], id: string | null): Html {
  const found = departments.find((department) => department.id === id)
  return found === undefined ? html`none` : html`<bdi>${found.name}</bdi>`
}

function toInvitations(page: PeoplePage): Html {
  const { invitations, departments, isOwner, now } = page
  const rows = invitations.map(({ email, role, departmentId, createdAt, expiresAt }) => [
    html`<bdi>${email}</bdi>`,
    html`${role}`,
    toDepartment(departments, departmentId),
    toTime(createdAt),
    expiresAt > now ? toTime(expiresAt) : toBadge('expired', 'warn'),
    isOwner || role !== 'owner'
      ? toButton(`${PATH}/invitations/withdraw`, 'Withdraw', { fields: { address: email }, about: email })
      : html``,
  ])
  const list = toTable('Invitations not followed yet', INVITATION_COLUMNS, rows, 'Nobody is invited just now.')
  const fold = toFold('Invite a person', { actions: [`${PATH}/invitations`] }, toInvitationForm(page))
  return html`<section><h2>Invitations</h2>
${toListWithFold(list, fold, rows.length === 0)}
</section>`
}

function toInvitationForm({ departments, isOwner, form, formId }: PeoplePage): Html {
  return html`<p class="quiet">Makes a link that works once. It is shown once, for you to send; a new one for the same address replaces it.</p>
<form method="post" action="${PATH}/invitations">${toHiddenFields({ form: formId })}
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: form.email, required: true })}
${toSelect({ name: 'role', label: 'Role', value: form.role }, toRoleOptions(isOwner))}
${toSelect({ name: 'department', label: 'Department', value: form.department }, toDepartmentOptions(departments))}
${toField({ name: 'days', label: 'Days the link works', type: 'number', value: form.days, required: true, hint: '30 at most.' })}
<div class="actions"><button class="main">Make the link</button></div>
</form>`
}

const REMOVAL_EFFECT = 'Records saved for it stay, and nobody sees them any more. A department that has members is not removed.'

function toDepartments({ departments, counts, form }: PeoplePage): Html {
  const rows = departments.map(({ id, name, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    html`${counts.get(id) ?? 0}`,
    toTime(createdAt),
    toConfirmButton(`${PATH}/departments/remove`, 'Remove', REMOVAL_EFFECT, { fields: { department: id }, about: name }),
  ])
  return html`<section><h2>Departments</h2>
<p class="quiet">A department keeps records of its own, which nobody outside it sees.</p>
${toTable('Departments of the account', DEPARTMENT_COLUMNS, rows, 'No departments.')}
<div class="row">${toFold('Add a department', { actions: [`${PATH}/departments`] }, toNameForm(`${PATH}/departments`, form.name, 'Add'))}
${departments.length === 0 ? undefined : toRenameForm(departments, form)}</div>
</section>`
}

function toRenameForm(departments: Department[], form: PeopleForm): Html {
  const path = `${PATH}/departments/rename`
  const fields = html`<form method="post" action="${path}" class="line">
${toSelect({ name: 'which', label: 'Department', value: form.which }, toDepartmentOptions(departments).slice(1))}
${toField({ name: 'to', label: 'New name', value: form.to, required: true, maxlength: MAX_NAME_CHARACTERS })}
<button class="main">Rename</button>
</form>`
  return toFold('Rename a department', { actions: [path] }, fields)
}
