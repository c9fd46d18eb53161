import type { NamedEvent } from '../../account/audit/named-events.ts'
import { type Filter, toChips, toFilterFold } from '../markup/filters.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, toBadge, toTable } from '../markup/table.ts'
import { toPageLink, toQueryPath } from '../paging.ts'

/** The path of the page. */
export const AUDIT_PATH = '/console/audit'

/** The filter values, empty for none. `person` is an actor as named in events, or an e-mail address. */
export type AuditQuery = Record<'act' | 'person' | 'project' | 'since' | 'until', string>

/** An event, and the path of the record that it is about, if the visitor may see that. */
type AuditLine = NamedEvent & { recordPath: string | undefined }

/** One page of events, and whether older ones like these may have been left out. */
type AuditLines = { lines: AuditLine[]; older: string | undefined; isCut: boolean }

/** The audit log of an account, newest first; without `shown`, its filters alone. */
export function toAudit(query: AuditQuery, filters: Filter[], shown?: AuditLines): Html {
  return html`<h1>Audit</h1>
<form method="get" action="${AUDIT_PATH}" class="search head">
${toFilterFold(filters)}
<a class="button small" href="${toQueryPath(`${AUDIT_PATH}.csv`, query)}" download>Download as CSV</a>
</form>
${toChips(AUDIT_PATH, filters)}
${shown && toLines(shown, query)}`
}

function toLines({ lines, older, isCut }: AuditLines, query: AuditQuery): Html {
  const rows = lines.map((line) => [
    toTime(line.at),
    html`<a href="${toQueryPath(AUDIT_PATH, { ...query, person: line.entry.actor })}"><bdi>${line.who}</bdi></a>${toViaNote(line.via)}`,
    html`<a href="${toQueryPath(AUDIT_PATH, { ...query, act: line.act })}">${line.act}</a> ${toOutcome(line.outcome)}`,
    html`${toTarget(line)}${toProjectNote(line)}`,
    toDetails(line.details),
  ])
  const isUnfiltered = Object.values(query).every((value) => value === '')
  return html`${toTable('Audit log', ['When', long('Who'), 'What', long('On'), 'Details'], rows, isUnfiltered ? 'No lines.' : 'No lines like that.')}
${isCut ? html`<p class="quiet">Many lines were looked through; there may be older ones like that.</p>` : undefined}
${toPageLink(older, 'Older')}`
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

function toDetails(details: NamedEvent['details']): Html | string {
  const facts = Object.entries(details).map(
    ([name, value]) => html`<li>${name.replaceAll('_', ' ')}: ${toIds(value === null ? 'none' : String(value))}</li>`,
  )
  return facts.length === 0 ? '–' : html`<ul class="details">${facts}</ul>`
}
