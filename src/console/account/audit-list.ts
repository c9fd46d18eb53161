import type { NamedEvent } from '../../account/audit/named-events.ts'
import { countOf, toMinute, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Filter, long, toBadge, toChips, toCountedTitle, toFilterFold, toTable } from '../markup/table.ts'
import { toPageLink, toQueryPath } from '../paging.ts'
import { toSentenceParts } from './audit-sentences.ts'

/** The path of the page. */
export const AUDIT_PATH = '/console/audit'

/**
 * The filter values, empty for none. `person` is an actor as named in events, or an e-mail address; `kind` what acts
 * are on, such as `key`.
 */
export type AuditQuery = Record<'kind' | 'act' | 'person' | 'outcome' | 'project' | 'since' | 'until', string>

/**
 * A record that an event is about, if the visitor may see it: its page, the beginning of its content, and its source.
 */
export type AuditRecord = { path: string; content: string; sourceId: string | null }

type AuditLine = NamedEvent & { record: AuditRecord | undefined }

/** One page of events, and whether older ones like these may have been left out. */
type AuditLines = { rows: AuditLine[]; older: string | undefined; isCut: boolean }

/** The audit log of an account, newest first, with the number of all events if it is known; or its filters alone. */
export function toAudit(
  query: AuditQuery,
  filters: Filter[],
  { shown, count }: { shown: AuditLines | undefined; count: number | undefined },
): Html {
  return html`${toCountedTitle('Audit', count)}
<form method="get" action="${AUDIT_PATH}" class="search head">
${toFilterFold(filters)}
<a class="button small" href="${toQueryPath(`${AUDIT_PATH}.csv`, query)}" download>Download as CSV</a>
</form>
${toChips(AUDIT_PATH, filters)}
${shown && toLines(shown, query)}`
}

const NONE_AMONG_NEWEST = 'No such event among the newest.'

function toLines({ rows, older, isCut }: AuditLines, query: AuditQuery): Html {
  const cells = rows.map((line) => [
    toTime(line.at),
    html`<div>${toSentence(line, query)}<small class="under short">${toPlaces(line)}</small></div>`,
    toCodes(line, query),
  ])
  return html`${toTable('Audit log', ['When', long('What happened'), 'Details'], cells, isCut ? NONE_AMONG_NEWEST : 'No events.')}
${isCut ? html`<p class="quiet">Only the newest events were searched; <em>Older</em> goes on.</p>` : undefined}
${toPageLink(older, 'Older')}`
}

/** What actors without a name are called at the beginning of a sentence. */
const NAMELESS: Record<string, string> = { operator: 'The operator', service: 'The service', unknown: 'Somebody' }

/** Who did what to what, in words: "Ada changed the department of Mel from Sales to Stones". */
function toSentence(line: AuditLine, query: AuditQuery): Html {
  const parts = toSentenceParts(line).map((part) => {
    if ('text' in part) return html`${part.text}`
    if (part.name === 'target') return toTarget(line)
    const value = line.details[part.name]
    return part.noun === undefined ? toIds(toText(value)) : html`${countOf(Number(value ?? 0), part.noun)}`
  })
  const name = NAMELESS[line.entry.actor] ?? line.who
  const who = html`<a href="${toQueryPath(AUDIT_PATH, { ...query, person: line.entry.actor })}"><bdi>${name}</bdi></a>`
  return html`${who} ${parts} ${toOutcome(line.outcome)}`
}

/** The value of a detail, with times to the minute; empty for one that the event has not. */
const toText = (value: NamedEvent['details'][string] | undefined): string =>
  value === null ? 'none' : String(value ?? '').replace(TIMES, (time) => toMinute(Date.parse(time)))

const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Where acts were done from that have no IP address. */
const PLACES: Record<string, string> = {
  'command line': 'on the command line',
  console: 'in the console',
  'first run': 'at the first start',
}

function toPlaces({ project, target, via }: AuditLine): Html {
  const place = project === undefined || project === target ? undefined : html`in <bdi>${project}</bdi>`
  return html`${place}${place && via !== null ? ', ' : undefined}${via === null ? undefined : (PLACES[via] ?? `from ${via}`)}`
}

/** The code of the act, the id of its object, and all details, behind one click. */
function toCodes({ act, details, entry }: AuditLine, query: AuditQuery): Html {
  const facts = Object.entries(details).map(
    ([name, value]) => html`<li>${name.replaceAll('_', ' ')}: ${toIds(toText(value))}</li>`,
  )
  return html`<details><summary>Codes</summary><ul class="details">
<li><a href="${toQueryPath(AUDIT_PATH, { ...query, act })}">${act}</a></li>${entry.target === null ? undefined : html`<li>on: ${toIds(entry.target)}</li>`}${facts}</ul></details>`
}

const IDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/
const ID = new RegExp(`^${IDS.source}$`)

/**
 * Text in which ids are cut to their last characters, by which they differ; the whole id is in the title, and is
 * selected by a click.
 */
function toIds(text: string): Html {
  const parts = text
    .split(IDS)
    .map((part, at) =>
      at % 2 === 0 ? html`${part}` : html`<code class="id" title="${part}"><bdi>${part}</bdi></code>`,
    )
  return html`<bdi>${parts}</bdi>`
}

/** The name of the object, with a link to its page if there is one; a record by its first words. */
function toTarget(line: AuditLine): Html {
  const { record, target, act, details } = line
  if (record !== undefined) {
    const source = record.sourceId === null ? undefined : html` of <bdi>${record.sourceId}</bdi>`
    return html`<a href="${record.path}"><q><bdi>${toBeginning(record.content)}</bdi></q></a>${source}`
  }
  const isOfRecords = act.startsWith('record.')
  if (isOfRecords && ID.test(target ?? '')) return html`a record`
  const path = toPath(line)
  const count = Number(details.records ?? details.forgotten ?? 0)
  // Records that are not named by an id are those of a source.
  const text = html`${isOfRecords && count > 0 ? `${countOf(count, 'record')} of ` : undefined}${toIds(target ?? '–')}`
  return path === undefined ? text : html`<a href="${path}">${text}</a>`
}

const MAX_BEGINNING_CHARACTERS = 80

function toBeginning(content: string): string {
  const line = content.trim().split('\n', 1)[0] ?? ''
  return line.length > MAX_BEGINNING_CHARACTERS ? `${line.slice(0, MAX_BEGINNING_CHARACTERS).toWellFormed()}…` : line
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

/** A successful outcome is not labelled. */
function toOutcome(outcome: NamedEvent['outcome']): Html | undefined {
  return outcome === 'done' ? undefined : toBadge(outcome, outcome === 'refused' ? 'warn' : 'bad')
}
