import type { ShownRecord } from '../../memory/records/shown-record.ts'
import { type ButtonLook, toButton } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'

/** The fields of a record that a list shows. */
export type Card = Pick<
  ShownRecord,
  'id' | 'workspace' | 'scope' | 'content' | 'fact_key' | 'status' | 'author' | 'created_at' | 'stale'
> & { source_id?: string | null }

type CardOptions = {
  score?: number
  /** A badge beside those of the status. */
  note?: Html | undefined
  /** Details below the record. */
  more?: Html | undefined
  actions?: Html[]
}

/** The largest part of a content that a list shows; characters are UTF-16 code units. */
const MAX_CARD_CHARACTERS = 480
const MAX_CARD_LINES = 8

/** A list of cards; the sentence `empty` where there are none. */
export function toRecordList(cards: Html[], empty: string): Html {
  if (cards.length === 0) return html`<p class="nothing">${empty}</p>`
  return html`<ul class="records">${cards.map((card) => html`<li>${card}</li>\n`)}</ul>`
}

/** A record in a list, with a link to its own page. `path` is the path of the project. */
export function toRecordCard(path: string, card: Card, { score, note, more, actions = [] }: CardOptions = {}): Html {
  const [shown, isWhole] = beginningOf(card.content)
  const page = toRecordPath(path, card.id)
  return html`<article class="record">
<h3><a href="${page}"><bdi>${card.fact_key}</bdi></a></h3>
<p class="content" dir="auto">${shown}${isWhole ? undefined : html`… <a href="${page}" aria-label="Read it whole: ${card.fact_key}">Read it whole</a>`}</p>
<p class="meta">${score === undefined ? undefined : html`<span class="score">Score ${score.toFixed(4)}</span>`}${toStatusBadges(card)}${note}${toProvenance(path, card)}</p>
${more}${actions.length === 0 ? undefined : html`<div class="row">${actions}</div>`}
</article>`
}

/** The path of a record's own page. */
export function toRecordPath(path: string, id: string): string {
  return `${path}/records/${encodeURIComponent(id)}`
}

/** Badges for status, staleness and scope; the scope `shared` has none. */
export function toStatusBadges({ status, stale, scope }: Pick<Card, 'status' | 'stale' | 'scope'>): Html {
  return html`${toBadge(status, status === 'verified' ? 'good' : 'plain')}${
    stale && status !== 'superseded' ? toBadge('stale', 'warn') : undefined
  }${scope === 'shared' ? undefined : toBadge(scope === 'draft' ? 'your draft' : scope)}`
}

/** The workspace, source, author and time of saving. */
function toProvenance(path: string, { workspace, source_id: source, author, created_at: savedAt }: Card): Html {
  const from = source == null ? undefined : html`<span>from ${toSourceLink(path, workspace, source)}</span>`
  return html`<span>in <bdi>${workspace}</bdi></span>${from}<span>by <bdi>${author}</bdi></span><span>${toTime(Date.parse(savedAt))}</span>`
}

/** A link to the list of all records of a source. */
export function toSourceLink(path: string, workspace: string, source: string): Html {
  return html`<a href="${path}/records?${new URLSearchParams({ workspace, source }).toString()}"><bdi>${source}</bdi></a>`
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

/** The record that a button acts on. */
export type ButtonTarget = {
  /** The path of the project. */
  path: string
  id: string
  /** What screen readers are told that the button is about. */
  about: string
  /** The path to return to after the action. */
  back: string
  /** Ids of the current records that contradict it, which verifying it supersedes. */
  rivals?: string[]
}

type ButtonLabel = { label: string; look?: ButtonLook }

/** The button that verifies the record; its label says how many others it supersedes. */
export function toVerifyButton({ path, id, about, back, rivals = [] }: ButtonTarget, shown?: ButtonLabel): Html {
  const others = rivals.length === 1 ? 'the other' : `the ${rivals.length} others`
  const { label, look = 'main' } = shown ?? { label: rivals.length === 0 ? 'Verify' : `Verify, and supersede ${others}` }
  return toButton(`${toRecordPath(path, id)}/verify`, label, { fields: { back, seen: rivals.join(' ') }, look, about })
}

/** The button that makes a verified record unverified. */
export function toUnverifyButton({ path, id, about, back }: ButtonTarget): Html {
  return toButton(`${toRecordPath(path, id)}/unverify`, 'Take the verification back', { fields: { back }, about })
}

/** The button that puts the record into the trash. */
export function toForgetButton(
  { path, id, about, back }: ButtonTarget,
  { label, look = 'danger' }: ButtonLabel = { label: 'Forget' },
): Html {
  return toButton(`${toRecordPath(path, id)}/forget`, label, { fields: { back }, look, about })
}

/** The button that takes the record off the review and leaves it in the trash. */
export function toLeaveButton({ path, id, about, back }: ButtonTarget): Html {
  return toButton(`${toRecordPath(path, id)}/leave`, 'Leave it forgotten', { fields: { back }, about })
}

/** The button that takes the record out of the trash. */
export function toRestoreButton({ path, id, about, back }: ButtonTarget): Html {
  return toButton(`${toRecordPath(path, id)}/restore`, 'Restore', { fields: { back }, look: 'main', about })
}
