import type { SavedIn } from '../../history/find/saved-in.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import type { PastHash } from '../../store/source-hashes.ts'
import { toDays, toFactTime, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge, toCountedHeading, toFacts } from '../markup/table.ts'
import { toQueryPath } from '../paging.ts'
import { type Relation, toNeighbourhood } from './neighbourhood.ts'
import {
  type ButtonTarget,
  toForgetButton,
  toRestoreButton,
  toUnverifyButton,
  toVerifyButton,
} from './record-buttons.ts'
import {
  toContent,
  toHeadline,
  toRecordCard,
  toRecordList,
  toRecordPath,
  toSourceLink,
  toStatusBadges,
} from './record-card.ts'

type RecordPage = {
  /** The path of the project. */
  path: string
  record: ShownRecord
  /** Current records of the same fact key with another content. */
  rivals: ShownRecord[]
  supersededBy: ShownRecord | undefined
  timeline: Html
  /** The latest hashes of its source, oldest first. */
  hashes: PastHash[]
  /** The records around it. */
  relations: Relation[]
  /** The session in which it was saved; undefined if none is known. */
  savedIn: SavedIn | undefined
  /** Milliseconds until the record is erased; undefined unless it is forgotten. */
  leftMs: number | undefined
}

/** The page of a record: all fields, history, related records and actions. */
export function toRecord(page: RecordPage): Html {
  const { path, record, rivals, supersededBy, timeline, hashes, relations } = page
  return html`<p class="back"><a href="${path}/records">All records</a></p>
<h1>${record.fact_key_given ? html`<bdi>${record.fact_key}</bdi>` : 'Record'}</h1>
<p class="meta">${toStatusBadges(record)}${record.forgotten_at === null ? undefined : toBadge('forgotten', 'bad')}</p>
<div class="columns"><div>
${toSuccessor(path, supersededBy)}
<div class="panel">${toContent(record.content)}</div>
${toActions(page)}
${toRivals(path, rivals)}
${timeline}
</div><div>
${toFields(page)}
${toSourceHistory(record, hashes)}
${toNeighbourhood(path, relations)}
</div></div>`
}

/** A notice that the record was superseded. */
function toSuccessor(path: string, supersededBy: ShownRecord | undefined): Html | undefined {
  if (supersededBy === undefined) return undefined
  return html`<p class="note">Superseded by <a href="${toRecordPath(path, supersededBy.id)}"><bdi>${toHeadline(supersededBy.content)}</bdi></a></p>`
}

function toActions(page: RecordPage): Html {
  const { path, record, leftMs } = page
  const target = { path, id: record.id, about: record.fact_key, back: toRecordPath(path, record.id) }
  if (leftMs !== undefined) {
    return html`<div class="row">${toRestoreButton(target)}</div><p class="quiet">Forgotten: no search finds it. It is erased for good in ${toDays(leftMs)}.</p>`
  }
  const edit =
    record.status === 'superseded' ? undefined : html`<a class="button plain small" href="${target.back}/edit">Edit</a>`
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
  return {
    label:
      rivals.length === 1 ? 'Keep it, and supersede the other' : `Keep it, and supersede the ${rivals.length} others`,
  }
}

/** Effects of the buttons that their labels do not tell. */
function toWarning({ record: { status }, rivals }: RecordPage): Html | undefined {
  if (rivals.length === 0) return undefined
  const back = status === 'verified' ? ' If the verification is withdrawn, the newest becomes current.' : ''
  return html`<p class="quiet">${rivals.length === 1 ? 'Another record' : 'Other records'} of its fact key, below, ${
    rivals.length === 1 ? 'says' : 'say'
  } something else. A superseded record counts as stale, until the one that superseded it is forgotten.${back}</p>`
}

function toFields({ path, record, savedIn }: RecordPage): Html {
  const { source_id: source, source_hash: hash, expires_at: expires, forgotten_at: forgotten } = record
  return toFacts([
    ['Id', html`<code>${record.id}</code>`],
    ['Workspace', html`<bdi>${record.workspace}</bdi>`],
    ['Scope', record.scope],
    [
      'Fact key',
      html`<bdi>${record.fact_key}</bdi>${record.fact_key_given ? undefined : html`<small>Derived from its words</small>`}`,
    ],
    ['Asked as', record.asked_as && html`${record.asked_as.map((phrase) => html`<bdi>${phrase}</bdi><br>`)}`],
    ['Status', record.status],
    ['Freshness', record.stale ? 'stale' : 'fresh'],
    [
      'Source',
      source === null
        ? undefined
        : html`${toSourceLink(path, record.workspace, source)}<small>The link lists all its records.</small>`,
    ],
    ['Source hash', hash === null ? undefined : html`<code>${hash}</code>`],
    ['Author', html`<bdi>${record.author}</bdi>`],
    ['Saved', toFactTime(record.created_at)],
    ['Saved in', savedIn && toSavedIn(path, record, savedIn)],
    ['Expires', toFactTime(expires)],
    ['Forgotten', toFactTime(forgotten)],
  ])
}

/** A link to the line for the owner of the session; for others, whose session it was. */
function toSavedIn(path: string, { author }: ShownRecord, savedIn: SavedIn): Html {
  if (savedIn === 'of its author') return html`a session of <bdi>${author}</bdi>`
  const { sessionId, line } = savedIn
  const at = `${path}/sessions/${encodeURIComponent(sessionId)}`
  return html`<a href="${toQueryPath(at, { from: String(line) })}#l${line}">your session, line ${line}</a>`
}

/** The states of its source, newest first, and those in which the record was saved. */
function toSourceHistory({ source_hash: own }: ShownRecord, hashes: PastHash[]): Html | undefined {
  if (hashes.length === 0) return undefined
  const last = hashes.length - 1
  const items = hashes.map(
    ({ hash, at }, index) =>
      html`<li class="${index === last ? 'good' : 'plain'}"><p><code>${hash}</code> ${index === last ? toBadge('current', 'good') : undefined} ${hash === own ? toBadge('this record') : undefined}</p>
<p class="quiet">${at === null ? 'first saved before this was recorded' : html`first saved ${toTime(at)}`}</p></li>\n`,
  )
  return html`<section><h2>History of its source</h2><ol class="timeline">${items.toReversed()}</ol></section>`
}

function toRivals(path: string, rivals: ShownRecord[]): Html | undefined {
  if (rivals.length === 0) return undefined
  return html`${toCountedHeading('Contradicts it', rivals.length)}${toRecordList(rivals.map((other) => toRecordCard(path, other)))}`
}
