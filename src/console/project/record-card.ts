import type { ShownRecord } from '../../memory/records/shown-record.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'

/** What a list shows of a record. */
export type Card = Pick<
  ShownRecord,
  'id' | 'workspace' | 'scope' | 'content' | 'fact_key' | 'status' | 'source_id' | 'author' | 'created_at' | 'stale'
>

/** What stands at a record in a list besides itself. */
type Beside = { score?: number; note?: Html | undefined; more?: Html | undefined; actions?: Html[] }

/** Characters and lines of a content that a list shows. */
const MAX_CARD_CHARACTERS = 480
const MAX_CARD_LINES = 8

/** Records one under the other; a sentence where there are none. */
export function toRecordList(cards: Html[], nothing: string): Html {
  if (cards.length === 0) return html`<p class="nothing">${nothing}</p>`
  return html`<ul class="records">${cards.map((card) => html`<li>${card}</li>\n`)}</ul>`
}

/** A record in a list of the project at `path`, with a link to its own page. */
export function toRecordCard(path: string, card: Card, { score, note, more, actions = [] }: Beside = {}): Html {
  const [shown, isWhole] = beginningOf(card.content)
  const page = toRecordPath(path, card.id)
  return html`<article class="record">
<h3><a href="${page}"><bdi>${card.fact_key}</bdi></a></h3>
<p class="content" dir="auto">${shown}${isWhole ? undefined : html`… <a href="${page}" aria-label="Read it whole: ${card.fact_key}">Read it whole</a>`}</p>
<p class="meta">${score === undefined ? undefined : html`<span class="score">Score ${score.toFixed(4)}</span>`}${toStanding(card)}${note}${toOrigin(path, card)}</p>
${more}${actions.length === 0 ? undefined : html`<div class="row">${actions}</div>`}
</article>`
}

/** The path of a record's own page. */
export function toRecordPath(path: string, id: string): string {
  return `${path}/records/${encodeURIComponent(id)}`
}

/** Badges that say how a record stands. */
export function toStanding({ status, stale, scope }: Pick<Card, 'status' | 'stale' | 'scope'>): Html {
  return html`${toBadge(status, status === 'verified' ? 'good' : 'plain')}${
    stale && status !== 'superseded' ? toBadge('stale', 'warn') : undefined
  }${scope === 'shared' ? undefined : toBadge(scope === 'draft' ? 'your draft' : scope)}`
}

/** Where a record is from: workspace, source, author, time. */
function toOrigin(path: string, { workspace, source_id: source, author, created_at: savedAt }: Card): Html {
  const from = source === null ? undefined : html`<span>from ${toSourceLink(path, workspace, source)}</span>`
  return html`<span>in <bdi>${workspace}</bdi></span>${from}<span>by <bdi>${author}</bdi></span><span>${toTime(Date.parse(savedAt))}</span>`
}

/** A link to the records of a source. */
export function toSourceLink(path: string, workspace: string, source: string): Html {
  return html`<a href="${path}?${new URLSearchParams({ workspace, source }).toString()}"><bdi>${source}</bdi></a>`
}

function beginningOf(text: string): [beginning: string, isWhole: boolean] {
  // Half a surrogate pair at the cut would be shown as a character that is not in the text.
  const lines = text
    .slice(0, MAX_CARD_CHARACTERS)
    .replace(/[\uD800-\uDBFF]$/, '')
    .split('\n')
  const beginning = lines.slice(0, MAX_CARD_LINES).join('\n')
  return [beginning, beginning.length === text.length]
}
