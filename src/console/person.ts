import type { Department, Member } from '../store/control.ts'
import { toButton, toChoice } from './form.ts'
import { type Html, html } from './html.ts'
import { toDepartment, toDepartmentOptions, toRoleOptions } from './people.ts'
import { toFacts } from './table.ts'
import { toTime } from './time.ts'

type Person = {
  member: Member
  departments: Department[]
  /** When any key of theirs was last used. */
  lastUsedAt: number | null
  /** What the visitor wants them to be. */
  role: string
  department: string
  /** Whether the visitor may change them at all, and make owners. */
  changeable: boolean
  owns: boolean
}

/** One member, and what an owner or admin may do about them. */
export function toPerson(page: Person): Html {
  const { member, departments, lastUsedAt, changeable } = page
  return html`<p class="back"><a href="/console/people">All people</a></p>
<h1><bdi>${member.name}</bdi></h1>
${toFacts([
  ['E-mail', html`<bdi>${member.email}</bdi>`],
  ['Role', member.role],
  ['Department', toDepartment(departments, member.departmentId)],
  ['Since', toTime(member.createdAt)],
  ['Last key use', lastUsedAt === null ? 'never' : toTime(lastUsedAt)],
])}
${changeable ? toActs(page) : html`<p>Only an owner may change an owner.</p>`}`
}

function toActs({ member, departments, role, department, owns }: Person): Html {
  const path = `/console/people/${member.id}`
  return html`<section class="panel"><h2>Role and department</h2>
<form method="post" action="${path}">
${toChoice({ name: 'role', label: 'Role', value: role }, toRoleOptions(owns))}
${toChoice(
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
<p>By it they come in once, within 48 hours, and choose a password. Until then their old one works. The link is shown once, for you to send; it replaces the one before.</p>
<div class="actions">${toButton(`${path}/link`, 'Make the link', { about: member.name })}</div>
</section>
<section class="panel"><h2>Remove</h2>
<p>Their keys, their connections and their sessions are dead at once. Their records stay, signed “former member”; nobody sees their drafts any more.</p>
<div class="actions">${toButton(`${path}/remove`, 'Remove', { look: 'danger', about: member.name })}</div>
</section>`
}
