import type { Review } from '../../memory/records/lists/review.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import type { Suggestion } from '../../store/history.ts'
import type { DiffPart } from '../../text/word-diff.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge, toCountedHeading } from '../markup/table.ts'
import { toSuggestionCards } from '../sessions/suggestions.ts'
import { type ButtonTarget, toForgetButton, toLeaveButton, toRestoreButton, toVerifyButton } from './record-buttons.ts'
import { toDiff, toHeadline, toRecordCard, toRecordList } from './record-card.ts'

/** A record to review, and the ids of the current records that contradict it. */
export type Reviewed = { record: ShownRecord; rivals: string[] }

/**
 * A verified record and a record of the same fact key that contradicts it, and their diff if they have much in common.
 */
export type Pair = { verified: Reviewed; other: Reviewed; diff: DiffPart[] | undefined }

/** What waits for review, in the order in which it is shown. */
export type Queue = {
  /** The path of the project. */
  path: string
  /** The path of the page with its query, to which the actions return. */
  back: string
  /** Verified records forgotten by an assistant. */
  forgotten: ShownRecord[]
  pairs: Pair[]
  /** Records that the guard marked. */
  marked: Reviewed[]
  /** How many of these there are, also beyond those shown. */
  counts: Review['counts']
  /** Number of texts rejected by the guard that wait for a decision of the visitor. */
  waitingTexts: number
  /** What the visitor typed in sessions, and may want to keep. */
  suggestions: Suggestion[]
  unverified: Reviewed[]
  /** How many there are, if that is known. */
  unverifiedCount: number | undefined
}

/**
 * The records that wait for review: verified ones forgotten by an assistant, contradictions, those that the guard
 * marked, suggestions, then unverified records.
 */
export function toQueue(page: Queue): Html {
  const { forgotten, pairs, marked, suggestions, unverified, waitingTexts } = page
  const count = [forgotten, pairs, marked, suggestions, unverified].flat().length + waitingTexts
  if (count === 0)
    return html`<p class="nothing">Nothing to review. Unverified records, and those that contradict a verified one, wait here for a person.</p>`
  const queue = toTargets(page)
  return html`<p class="quiet scripted shortcuts">Keys: <kbd>J</kbd> next, <kbd>K</kbd> previous, <kbd>U</kbd> undo; others are on the buttons.</p>
${toForgotten(page, queue)}
${toPairs(page, queue)}
${toWaitingTexts(page)}
${toMarkedRecords(page, queue)}
${toSuggestions(page)}
${toUnverified(page, queue)}`
}

/** The target of a record's buttons: where they return to, and which record is there then. */
type ToTarget = (record: ShownRecord, rivals?: string[]) => ButtonTarget

function toTargets({ path, back, forgotten, pairs, marked, unverified }: Queue): ToTarget {
  const reviewed = [...pairs.map(({ other }) => other), ...marked, ...unverified].map(({ record }) => record)
  const ids = [...forgotten, ...reviewed].map(({ id }) => id)
  return (record, rivals = []) => {
    const at = ids.indexOf(record.id)
    return { path, back, id: record.id, about: toHeadline(record.content), next: ids[at + 1] ?? ids[at - 1], rivals }
  }
}

/** A part of the queue; undefined if nothing is in it. */
function toPart(
  heading: string,
  explanation: string,
  items: Html[],
  { count, shown, more }: { count: number | undefined; shown?: number; more?: string },
): Html | undefined {
  if (items.length === 0) return undefined
  return html`<section>${toCountedHeading(heading, count)}
<p class="quiet">${explanation}</p>
${items}
${more !== undefined && count !== shown ? html`<p class="quiet">${more} More follow when they are settled.</p>` : undefined}
</section>`
}

const toList = (cards: Html[]): Html[] => (cards.length === 0 ? [] : [toRecordList(cards)])

function toForgotten({ path, forgotten, counts }: Queue, toTarget: ToTarget): Html | undefined {
  const cards = forgotten.map((record) => {
    const target = toTarget(record)
    const actions = [toRestoreButton(target, { key: 'v' }), toLeaveButton(target, { key: 'f' })]
    return toRecordCard(path, record, { note: toBadge('forgotten', 'bad'), isItem: true, actions })
  })
  const explanation = 'A person had verified these. No search finds them now. Restored, they are as they were before.'
  return toPart('Forgotten by an assistant, though verified', explanation, toList(cards), {
    count: counts.forgotten,
    shown: cards.length,
    more: 'These were forgotten last.',
  })
}

function toPairs({ path, pairs, counts }: Queue, toTarget: ToTarget): Html | undefined {
  const explanation = 'Two records of one fact key say different things. Choose the one that is right.'
  const items = pairs.map((pair) => toPair(path, pair, toTarget))
  return toPart('Contradictions', explanation, items, {
    count: counts.conflicts,
    shown: items.length,
    more: 'These are the newest.',
  })
}

function toPair(path: string, { verified, other, diff }: Pair, toTarget: ToTarget): Html {
  const bothVerified = other.record.status === 'verified'
  const { next } = toTarget(other.record)
  const [ofVerified, ofOther] = [
    { ...toTarget(verified.record, verified.rivals), next },
    toTarget(other.record, other.rivals),
  ]
  const keep = bothVerified
    ? toVerifyButton(ofVerified, { label: 'Keep the older one', key: '1' })
    : toForgetButton(ofOther, { label: 'Keep the verified one', look: 'main', key: '1' })
  const take = toVerifyButton(ofOther, {
    label: bothVerified ? 'Keep the newer one' : 'Take the new one',
    look: 'plain',
    key: '2',
  })
  const effect = bothVerified
    ? 'The one that is not kept becomes superseded.'
    : 'Keeping the verified one forgets the new one. Taking the new one verifies it, and the other becomes superseded.'
  return html`<div class="panel pair" tabindex="-1" data-item>
<div class="sides">${toRecordCard(path, verified.record, { isAnchor: false })}${toRecordCard(path, other.record)}</div>
${diff && toDiff(diff)}
<div class="row">${keep}${take}</div>
<p class="quiet">${effect}</p>
</div>`
}

function toWaitingTexts({ path, waitingTexts }: Queue): Html | undefined {
  if (waitingTexts === 0) return undefined
  return html`<section><h2>Refused by the guard</h2>
<p>${waitingTexts === 1 ? 'Somebody asks for the release of a text' : `Somebody asks for the release of ${waitingTexts} texts`} that the guard refused. <a href="${path}/guard">Read and decide</a></p>
</section>`
}

const MARKED =
  'The guard is not sure of these. Assistants find them with a caution, and no brief mentions them. Verify harmless notes; forget what tells an assistant what to do.'

function toMarkedRecords({ path, marked, counts }: Queue, toTarget: ToTarget): Html | undefined {
  const cards = toReviewCards(path, marked, toTarget)
  return toPart('Marked by the guard', MARKED, toList(cards), {
    count: counts.marked,
    shown: cards.length,
    more: 'These are the newest.',
  })
}

const SUGGESTED =
  'You typed these, and they sound like rules that stay. Only you see them. A kept one becomes a verified record that everybody in the project finds; Edit lets you choose who. Switch suggestions off under Sessions.'

function toSuggestions({ path, back, suggestions }: Queue): Html | undefined {
  const cards = toSuggestionCards(path, back, suggestions)
  return toPart('From your sessions', SUGGESTED, toList(cards), { count: cards.length })
}

const UNVERIFIED = 'By verifying a record, you confirm that it is true. An unverified record cannot supersede it then.'

function toUnverified({ path, unverified, unverifiedCount: count = 0 }: Queue, toTarget: ToTarget): Html | undefined {
  return toPart('Unverified, newest first', UNVERIFIED, toList(toReviewCards(path, unverified, toTarget)), { count })
}

/** Cards of unverified records with the buttons that verify and forget them. */
function toReviewCards(path: string, reviewed: Reviewed[], toTarget: ToTarget): Html[] {
  return reviewed.map(({ record, rivals }) => {
    const target = toTarget(record, rivals)
    const verify = toVerifyButton(target, { look: 'plain', key: 'v' })
    return toRecordCard(path, record, { isItem: true, actions: [verify, toForgetButton(target, { key: 'f' })] })
  })
}
