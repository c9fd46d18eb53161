import { mayManage } from '../../account/auth/actor.ts'
import type { Person } from '../../account/organizations/people.ts'
import type { ProjectAccess } from '../../account/organizations/project-access.ts'
import type { ByStatus } from '../../memory/overview/read-lines.ts'
import { STATUSES } from '../../memory/records/record.ts'
import type { Key, Member, Project } from '../../store/account.ts'
import { toButton, toTypedRemoval } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, toBadge, toCountedHeading, toTable } from '../markup/table.ts'
import { PAGE_SIZE, toQueryPath } from '../paging.ts'
import { type RecordCounts, toCountNote, toLabel } from './people-sections.ts'

/** What the page shows of a member: their records in these projects of `count`, as far as the visitor sees them. */
export type Shown = { person: Person; projects: Project[]; count: number; counted: RecordCounts }

const PROJECT_COLUMNS = [
  long('Project'),
  'Open to them',
  numeric('Keys'),
  ...STATUSES.map((status) => numeric(toLabel(status))),
  ACTIONS,
]

/** The account's projects, the member's access to each, and their records. */
export function toProjects(at: string, { person, projects, count, counted }: Shown): Html {
  const rows = projects.map((project) => {
    const { id, name } = project
    const keys = person.keys.filter(({ projectId }) => projectId === id).length
    const access = toAccess(person, id, keys)
    return [
      html`<a href="/console/projects/${id}"><bdi>${name}</bdi></a>`,
      toAccessBadge(access),
      toCount(keys),
      ...STATUSES.map((status) => toRecordsLink(project, person, status, counted)),
      access === 'role' ? '' : toAccessButton(`${at}/projects`, { id, name, access }),
    ]
  })
  return html`<section>${toCountedHeading('Projects and records', count)}
<p class="quiet">In a project that is open to them, they see the shared records and those of their department, and can issue keys for themselves.</p>
${toTable('Projects of the account', PROJECT_COLUMNS, rows, 'No projects yet.')}
${toCountNote(projects, counted)}
</section>`
}

/** How many records of a status they have in a project, which leads to these. */
function toRecordsLink({ id }: Project, member: Member, status: keyof ByStatus, counted: RecordCounts): Html | string {
  const authors = counted.get(id)
  const count = authors?.get(member.id)?.[status] ?? 0
  if (count === 0) return authors === undefined ? '–' : '0'
  const path = toQueryPath(`/console/projects/${id}/records`, { author: member.name, status })
  return html`<a href="${path}">${toCount(count)}</a>`
}

/** The live keys that they hold. */
export function toKeys(keys: Key[], projects: Project[]): Html | undefined {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const rows = keys
    .filter(({ projectId }) => names.has(projectId))
    .toSorted((a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0))
    .map(({ id, projectId, label, createdAt, expiresAt, lastUsedAt }) => [
      html`<a href="/console/projects/${projectId}/keys/${id}"><bdi>${label}</bdi></a>`,
      html`<bdi>${names.get(projectId)}</bdi>`,
      toTime(createdAt),
      toTime(expiresAt, 'never'),
      toTime(lastUsedAt, 'never'),
    ])
  if (rows.length === 0) return undefined
  const columns = [long('Label'), long('Project'), 'Created', 'Expires', 'Last used']
  return html`<section>${toCountedHeading('Keys', rows.length)}
${toTable('Keys that they hold', columns, rows.slice(0, PAGE_SIZE))}
${rows.length > PAGE_SIZE ? html`<p class="quiet">The ${PAGE_SIZE} used last are shown.</p>` : undefined}
</section>`
}

type AccessKind = ProjectAccess | 'role' | undefined

/** Why a project is open to a member; owners and admins have access to all. */
function toAccess(person: Person, projectId: string, keys: number): AccessKind {
  if (mayManage(person)) return 'role'
  if (keys > 0) return 'key'
  return person.opened.includes(projectId) ? 'opened' : undefined
}

function toAccessBadge(access: AccessKind): Html {
  if (access === undefined) return toBadge('no')
  const why = { key: ' by a key they hold', role: ' by their role', opened: '' }[access]
  return html`<span>${toBadge('yes', 'good')}${why}</span>`
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

/** How many connections and sessions of a member would end with their removal. */
type Ending = { connections: number; sessions: number }

/** What ends with a removal, and what becomes of their records. */
export function toRemoval(at: string, { person, projects, counted }: Shown, { connections, sessions }: Ending): Html {
  const kept = projects.flatMap(({ id }) => Object.values(counted.get(id)?.get(person.id) ?? {}))
  const records = kept.reduce((sum, count) => sum + count, 0)
  const counts: [number, string][] = [
    [person.keys.length, 'key'],
    [connections, 'connection'],
    [sessions, 'session'],
  ]
  const ending = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countOf(count, noun)]))
  const total = counts.reduce((sum, [count]) => sum + count, 0)
  const ends =
    total === 0
      ? 'They have no key, connection or session now.'
      : `${new Intl.ListFormat('en-GB').format(ending)} ${total === 1 ? 'stops' : 'stop'} working at once.`
  return html`<section class="panel"><h2>Remove</h2>
<p>${ends} Session histories that they uploaded are erased for good, and nobody sees their drafts any more.</p>
<p>Their records stay: you see ${countOf(records, 'record')} in the projects above. They are then signed “former member”, and the name <bdi>${person.name}</bdi> still finds them.</p>
${toTypedRemoval(`${at}/remove`, person.email, 'Remove')}
</section>`
}
