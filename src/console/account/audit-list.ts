import type { NamedEvent } from '../../account/audit/named-events.ts'
import { type Option, toField, toFilterFold, toSelect } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Column, toBadge, toTable } from '../markup/table.ts'
import { toOlderLink, toQueryPath } from '../paging.ts'
import { type Chip, toChipList } from '../records/record-filters.ts'

/** The path of the page. */
export const AUDIT_PATH = '/console/audit'

/** The filter values, empty for none. `person` is an actor as named in events, or an e-mail address. */
export type AuditQuery = { act: string; person: string; project: string; since: string; until: string }

/** The choices of the selects; `people` is undefined if there are too many, and then a text field. */
export type AuditOptions = { acts: string[]; people: Option[] | undefined; projects: Option[] }

/** An event, and the path of the record that it is about, if the visitor may see that. */
export type AuditLine = NamedEvent & { recordPath: string | undefined }

type AuditPage = {
  /** The events, or why none are shown. */
  shown: { error: string } | { lines: AuditLine[]; older: string | undefined; isCut: boolean }
  query: AuditQuery
  options: AuditOptions
}

const COLUMNS: Column[] = [
  { label: 'When' },
  { label: 'Who', look: 'long' },
  { label: 'What' },
  { label: 'On', look: 'long' },
  { label: 'Details' },
]

/** The audit log of an account, newest first. */
export function toAudit({ shown, query, options }: AuditPage): Html {
  return html`<h1>Audit</h1>
${toForm(query, options)}
${toChips(query, options)}
${'error' in shown ? undefined : toLines(shown.lines, query)}
${'error' in shown ? undefined : toEnd(shown)}`
}

const ANY = { value: '', label: 'any' }

function toForm(query: AuditQuery, { acts, people, projects }: AuditOptions): Html {
  const { act, person, project, since, until } = query
  const actOptions = acts.includes(act) || act === '' ? acts : [act, ...acts]
  return html`<form method="get" action="${AUDIT_PATH}" class="search head">
${toFilterFold(
  ['act', 'person', 'project', 'since', 'until'],
  html`${toSelect({ name: 'act', label: 'What', value: act }, [ANY, ...actOptions.map((value) => ({ value, label: value }))])}
${people === undefined ? toField({ name: 'person', label: 'Who, by e-mail address', value: person, maxlength: 320 }) : toSelect({ name: 'person', label: 'Who', value: person }, [ANY, ...people])}
${toSelect({ name: 'project', label: 'Project', value: project }, [ANY, ...projects])}
${toField({ name: 'since', label: 'Since', type: 'date', value: since })}
${toField({ name: 'until', label: 'Until', type: 'date', value: until, hint: 'Days are UTC.' })}`,
)}
<a class="button small" href="${toQueryPath(`${AUDIT_PATH}.csv`, query)}" download>Download as CSV</a>
</form>`
}

const LABELS: [keyof AuditQuery, string][] = [
  ['act', 'What'],
  ['person', 'Who'],
  ['project', 'Project'],
  ['since', 'Since'],
  ['until', 'Until'],
]

function toChips(query: AuditQuery, { people = [], projects }: AuditOptions): Html | undefined {
  const names = new Map([...people, ...projects].map(({ value, label }) => [value, label]))
  const chips: Chip[] = LABELS.filter(([name]) => query[name] !== '').map(([name, label]) => ({
    label,
    text: names.get(query[name]) ?? query[name],
    without: toQueryPath(AUDIT_PATH, { ...query, [name]: '' }),
  }))
  return toChipList(chips, AUDIT_PATH)
}

function toLines(lines: AuditLine[], query: AuditQuery): Html {
  const rows = lines.map((line) => [
    toTime(line.at),
    html`<a href="${toQueryPath(AUDIT_PATH, { ...query, person: line.entry.actor })}"><bdi>${line.who}</bdi></a>${toViaNote(line.via)}`,
    html`<a href="${toQueryPath(AUDIT_PATH, { ...query, act: line.act })}">${line.act}</a> ${toOutcome(line.outcome)}`,
    html`${toTarget(line)}${toProjectNote(line)}`,
    toDetails(line.details),
  ])
  return toTable('Audit log', COLUMNS, rows, Object.values(query).every((value) => value === '') ? 'No lines.' : 'No lines like that.')
}

function toEnd({ older, isCut }: { older: string | undefined; isCut: boolean }): Html {
  return html`${isCut ? html`<p class="quiet">Many lines were looked through; there may be older ones like that.</p>` : undefined}
${toOlderLink(older)}`
}

function toViaNote(via: string | null): Html | undefined {
  return via === null ? undefined : html`<small class="under short">from ${via}</small>`
}

function toTarget(line: AuditLine): Html {
  const text = toIds(line.target ?? '–')
  const path = line.recordPath ?? toPath(line)
  return path === undefined ? text : html`<a href="${path}">${text}</a>`
}

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** Text in which ids are cut to their last characters, by which they differ; the whole id is in the title, and is selected by a click. */
function toIds(text: string): Html {
  const parts = text
    .split(IDS)
    .map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code class="id" title="${part}"><bdi>${part}</bdi></code>`))
  return html`<bdi>${parts}</bdi>`
}

function toPath({ about, entry }: NamedEvent): string | undefined {
  switch (about?.kind) {
    case 'member':
      return `/console/people/${about.id}`
    case 'project':
      return `/console/projects/${about.id}`
    case 'key':
      return entry.projectId === null ? undefined : `/console/projects/${entry.projectId}/keys/${about.id}`
    case 'account':
      return `/console/operator/accounts/${about.id}`
    default:
      return undefined
  }
}

function toProjectNote({ project, target }: NamedEvent): Html | undefined {
  return project === undefined || project === target ? undefined : html`<small class="under">in <bdi>${project}</bdi></small>`
}

/** A successful outcome is not labelled. */
function toOutcome(outcome: NamedEvent['outcome']): Html | undefined {
  return outcome === 'done' ? undefined : toBadge(outcome, outcome === 'refused' ? 'warn' : 'bad')
}

function toDetails(details: NamedEvent['details']): Html {
  const facts = Object.entries(details).map(
    ([name, value]) => html`<li>${name.replaceAll('_', ' ')}: ${toIds(value === null ? 'none' : String(value))}</li>`,
  )
  return facts.length === 0 ? html`–` : html`<ul class="details">${facts}</ul>`
}
