import type { ShownRecord } from '../../memory/records/shown-record.ts'
import { toDays, toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge, toFacts } from '../markup/table.ts'
import {
  type ButtonTarget,
  toForgetButton,
  toRecordCard,
  toRecordList,
  toRecordPath,
  toRestoreButton,
  toSourceLink,
  toStatusBadges,
  toUnverifyButton,
  toVerifyButton,
} from './record-card.ts'

export type RecordPage = {
  /** The path of the project. */
  path: string
  record: ShownRecord
  /** Current records of the same fact key with another content. */
  rivals: ShownRecord[]
  supersededBy: ShownRecord | undefined
  superseded: ShownRecord[]
  /** Milliseconds until the record is erased; undefined unless it is forgotten. */
  leftMs: number | undefined
}

/** A record with all of its fields, the records related to it, and the actions on it. */
export function toRecord(page: RecordPage): Html {
  const { path, record, rivals, supersededBy, superseded } = page
  return html`<h1><bdi>${record.fact_key}</bdi></h1>
<p class="meta">${toStatusBadges(record)}${record.forgotten_at === null ? undefined : toBadge('forgotten', 'bad')}</p>
<div class="panel"><p class="content" dir="auto">${record.content}</p></div>
${toActions(page)}
${toFields(path, record)}
${toOthers(path, rivals.length === 0 ? undefined : 'In conflict with it', rivals)}
${toOthers(path, supersededBy && 'Superseded by', supersededBy === undefined ? [] : [supersededBy])}
${toOthers(path, superseded.length === 0 ? undefined : 'What it superseded', superseded)}`
}

function toActions(page: RecordPage): Html {
  const { path, record, leftMs } = page
  const target = { path, id: record.id, about: record.fact_key, back: toRecordPath(path, record.id) }
  if (leftMs !== undefined) {
    return html`<div class="row">${toRestoreButton(target)}</div><p class="quiet">Forgotten: no search finds it. It is erased for good in ${toDays(leftMs)}.</p>`
  }
  const edit = record.status === 'superseded' ? undefined : html`<a class="button plain small" href="${target.back}/edit">Edit</a>`
  return html`<div class="row">${toStatusButtons(page, target)}${edit}${toForgetButton(target)}</div>${toWarning(page)}`
}

function toStatusButtons({ record, rivals }: RecordPage, target: ButtonTarget): Html[] {
  if (record.status === 'superseded') return []
  const verify = toVerifyButton({ ...target, rivals: rivals.map(({ id }) => id) }, toKeepLabel(record, rivals))
  if (record.status === 'unverified') return [verify]
  return rivals.length === 0 ? [toUnverifyButton(target)] : [verify, toUnverifyButton(target)]
}

function toKeepLabel({ status }: ShownRecord, rivals: ShownRecord[]) {
  if (status !== 'verified') return undefined
  return { label: rivals.length === 1 ? 'Keep it, and supersede the other' : `Keep it, and supersede the ${rivals.length} others` }
}

/** The effects of the buttons that their labels do not say. */
function toWarning({ record: { status }, rivals }: RecordPage): Html | undefined {
  if (rivals.length === 0) return undefined
  const back = status === 'verified' ? ' If the verification is taken back, the newest of them all becomes the current one.' : ''
  return html`<p class="quiet">${rivals.length === 1 ? 'Another record' : 'Other records'} of its fact key, below, ${
    rivals.length === 1 ? 'says' : 'say'
  } something else. What is superseded counts as stale, until the record that superseded it is forgotten.${back}</p>`
}

function toFields(path: string, record: ShownRecord): Html {
  const { source_id: source, source_hash: hash, superseded_by: actor, expires_at: expires, forgotten_at: forgotten } = record
  const time = (at: string | null) => (at === null ? undefined : toExactTime(Date.parse(at)))
  return toFacts([
    ['Id', html`<code>${record.id}</code>`],
    ['Workspace', html`<bdi>${record.workspace}</bdi>`],
    ['Scope', record.scope],
    ['Fact key', html`<bdi>${record.fact_key}</bdi>`],
    ['Status', record.status],
    ['Freshness', record.stale ? 'stale' : 'fresh'],
    ['Superseded by', actor === null ? undefined : html`<code>${actor}</code>`],
    [
      'Source',
      source === null ? undefined : html`${toSourceLink(path, record.workspace, source)}<small>The link lists all its records.</small>`,
    ],
    ['Source hash', hash === null ? undefined : html`<code>${hash}</code>`],
    ['Author', html`<bdi>${record.author}</bdi>`],
    ['Saved', time(record.created_at)],
    ['Expires', time(expires)],
    ['Forgotten', time(forgotten)],
  ])
}

function toOthers(path: string, heading: string | undefined, others: ShownRecord[]): Html | undefined {
  if (heading === undefined) return undefined
  const cards = others.map((other) =>
    toRecordCard(path, other, { note: other.forgotten_at === null ? undefined : toBadge('forgotten', 'bad') }),
  )
  return html`<h2>${heading}</h2>${toRecordList(cards, '')}`
}
