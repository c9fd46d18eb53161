import type { AddressWish } from '../../store/address-wish.ts'
import type { Department, Member, Role } from '../../store/control.ts'
import type { Invitation } from '../../store/invitation.ts'
import { toButton, toConfirmButton, toField, toHidden, toSelect } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink } from '../markup/paging.ts'
import { type Column, toBadge, toTable } from '../markup/table.ts'

const PATH = '/console/people'

/** What a form about an invitation, or about a department, said. */
export type PeopleForm = { email: string; role: string; department: string; days: string; name: string; which: string; to: string }

type PeoplePage = {
  members: Member[]
  more: string | undefined
  /** How many members each department has. */
  counts: Map<string, number>
  invitations: Invitation[]
  /** Members who want another address. */
  wishes: (AddressWish & { member: Member })[]
  departments: Department[]
  /** Whether the visitor may make owners. */
  owns: boolean
  now: number
  wish: PeopleForm
  /** Names the form that invites. */
  form: string
}

const ROLE: Column[] = [{ label: 'Role', look: 'short' }, { label: 'Department' }]
const ACTIONS: Column = { label: '', look: 'actions' }
const MEMBERS: Column[] = [{ label: 'Name' }, { label: 'E-mail' }, ...ROLE, { label: 'Since' }]
const INVITATIONS: Column[] = [{ label: 'E-mail' }, ...ROLE, { label: 'Made' }, { label: 'Valid until' }, ACTIONS]
const DEPARTMENTS: Column[] = [{ label: 'Name' }, { label: 'Members', look: 'number' }, { label: 'Made' }, ACTIONS]

/** The people of an account: members, members to be, departments. */
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
${toTable('Members of the account', MEMBERS, rows, 'No members.')}
${toMoreLink(more)}
${page.wishes.length === 0 ? undefined : toWishes(page)}
${toInvitations(page)}
${toDepartments(page)}`
}

const WISHES: Column[] = [{ label: 'Member' }, { label: 'Present address' }, { label: 'Wanted' }, { label: 'Since' }, ACTIONS]

/** Each answer names the address it is about, so that one which was changed meanwhile is not confirmed unseen. */
function toWishes({ wishes, owns }: PeoplePage): Html {
  const rows = wishes.map(({ member, email, wishedAt }) => [
    html`<a href="${PATH}/${member.id}"><bdi>${member.name}</bdi></a>`,
    html`<bdi>${member.email}</bdi>`,
    html`<bdi>${email}</bdi>`,
    toTime(wishedAt),
    owns || member.role !== 'owner' ? toDecision(member, email) : html``,
  ])
  return html`<section class="panel"><h2>Addresses to confirm</h2>
<p class="quiet">Whoever has an address signs in with it and is written to there. Confirm only what you know to be theirs.</p>
${toTable('Members who want another address', WISHES, rows, '')}
</section>`
}

function toDecision({ id, name }: Member, email: string): Html {
  const fields = { member: id, address: email }
  const confirm = { fields: { ...fields, confirmed: 'yes' }, look: 'main' as const, about: `${email} for ${name}` }
  const decline = { fields: { ...fields, confirmed: 'no' }, about: `${email} for ${name}` }
  return html`<div class="row">${toButton(`${PATH}/addresses`, 'Confirm', confirm)}${toButton(`${PATH}/addresses`, 'Decline', decline)}</div>`
}

/** What somebody may be made by an owner, or by an admin. */
export function toRoleOptions(owns: boolean): { value: Role; label: string }[] {
  const lesser = [
    { value: 'member' as const, label: 'member' },
    { value: 'admin' as const, label: 'admin: manages projects, people and integrations' },
  ]
  return owns ? [...lesser, { value: 'owner', label: 'owner: also makes owners, renames the account, removes projects' }] : lesser
}

/** Departments to choose from, or none. */
export function toDepartmentOptions(departments: Department[]): { value: string; label: string }[] {
  return [{ value: '', label: 'none' }, ...departments.map(({ id, name }) => ({ value: id, label: name }))]
}

/** The department's name. */
export function toDepartment(departments: Department[], id: string | null): Html {
  const found = departments.find((department) => department.id === id)
  return found === undefined ? html`none` : html`<bdi>${found.name}</bdi>`
}

function toInvitations({ invitations, departments, owns, now, wish, form }: PeoplePage): Html {
  const rows = invitations.map(({ email, role, departmentId, createdAt, expiresAt }) => [
    html`<bdi>${email}</bdi>`,
    html`${role}`,
    toDepartment(departments, departmentId),
    toTime(createdAt),
    expiresAt > now ? toTime(expiresAt) : toBadge('expired', 'warn'),
    owns || role !== 'owner' ? toButton(`${PATH}/invitations/withdraw`, 'Withdraw', { fields: { address: email }, about: email }) : html``,
  ])
  return html`<section class="panel"><h2>Invitations</h2>
${toTable('Invitations not followed yet', INVITATIONS, rows, 'Nobody is invited just now.')}
<h3>Invite a person</h3>
<p class="quiet">Makes a link that works once. It is shown once, for you to send; a new one for the same address replaces it.</p>
<form method="post" action="${PATH}/invitations">${toHidden({ form })}
${toField({ name: 'email', label: 'E-mail address', type: 'email', value: wish.email, required: true })}
${toSelect({ name: 'role', label: 'Role', value: wish.role }, toRoleOptions(owns))}
${toSelect({ name: 'department', label: 'Department', value: wish.department }, toDepartmentOptions(departments))}
${toField({ name: 'days', label: 'Days the link works', type: 'number', value: wish.days, required: true, hint: '30 at most.' })}
<div class="actions"><button class="main">Make the link</button></div>
</form></section>`
}

const REMOVES = 'Records saved for it stay, and nobody sees them any more. A department that has members is not removed.'

function toDepartments({ departments, counts, wish }: PeoplePage): Html {
  const rows = departments.map(({ id, name, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    html`${counts.get(id) ?? 0}`,
    toTime(createdAt),
    toConfirmButton(`${PATH}/departments/remove`, 'Remove', REMOVES, { fields: { department: id }, about: name }),
  ])
  return html`<section class="panel"><h2>Departments</h2>
<p class="quiet">A department keeps records of its own, which nobody outside it sees.</p>
${toTable('Departments of the account', DEPARTMENTS, rows, 'No departments.')}
<h3>Add a department</h3>
<form method="post" action="${PATH}/departments" class="line">
${toField({ name: 'name', label: 'Name', value: wish.name, required: true, maxlength: 100 })}
<button class="main">Add</button>
</form>
${departments.length === 0 ? undefined : toRenaming(departments, wish)}
</section>`
}

function toRenaming(departments: Department[], wish: PeopleForm): Html {
  return html`<h3>Rename a department</h3>
<form method="post" action="${PATH}/departments/rename" class="line">
${toSelect({ name: 'which', label: 'Department', value: wish.which }, toDepartmentOptions(departments).slice(1))}
${toField({ name: 'to', label: 'New name', value: wish.to, required: true, maxlength: 100 })}
<button class="main">Rename</button>
</form>`
}
