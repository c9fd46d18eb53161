import type { NamedEvent } from '../../account/audit/named-events.ts'
import { toField } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { type Column, toBadge, toTable } from '../markup/table.ts'

const PATH = '/console/audit'

type AuditPage = {
  entries: NamedEvent[]
  older: string | undefined
  /** The act that the list is narrowed to; empty for all. */
  act: string
}

const COLUMNS: Column[] = [
  { label: 'When' },
  { label: 'Who' },
  { label: 'What', look: 'short' },
  { label: 'On' },
  { label: 'Outcome' },
  { label: 'Details' },
]

/** The audit log of an account, newest first. */
export function toAudit({ entries, older, act }: AuditPage): Html {
  const rows = entries.map((entry) => [
    toTime(entry.at),
    html`<bdi>${entry.who}</bdi>${toViaNote(entry.via)}`,
    html`<a href="${PATH}?act=${encodeURIComponent(entry.act)}">${entry.act}</a>`,
    html`<bdi>${entry.target ?? '–'}</bdi>${toProjectNote(entry)}`,
    toOutcome(entry.outcome),
    toDetails(entry.details),
  ])
  return html`<h1>Audit</h1>
<form method="get" action="${PATH}" class="line">
${toField({ name: 'act', label: 'Only one act, such as key.issue', value: act, maxlength: 64 })}
<button class="plain">Show</button>
</form>
${toTable('Audit log', COLUMNS, rows, act === '' ? 'No lines.' : 'No lines of this act.')}
${toOlderLink(older)}`
}

function toViaNote(via: string | null): Html | undefined {
  return via === null ? undefined : html`<small class="under short">from ${via}</small>`
}

function toProjectNote({ project, target }: NamedEvent): Html | undefined {
  return project === undefined || project === target ? undefined : html`<small class="under">in <bdi>${project}</bdi></small>`
}

function toOutcome(outcome: NamedEvent['outcome']): Html {
  return toBadge(outcome, outcome === 'done' ? 'plain' : outcome === 'refused' ? 'warn' : 'bad')
}

function toDetails(details: NamedEvent['details']): Html {
  const facts = Object.entries(details).map(
    ([name, value]) => html`<li>${name.replaceAll('_', ' ')}: <bdi>${value === null ? 'none' : String(value)}</bdi></li>`,
  )
  return facts.length === 0 ? html`–` : html`<ul class="details">${facts}</ul>`
}
