import type { ShownRecord } from '../../memory/records/shown-record.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { toBadge } from '../markup/table.ts'
import { toForgetButton, toLeaveButton, toRecordCard, toRecordList, toRestoreButton, toVerifyButton } from './record-card.ts'

/** A record to review, and the ids of the current records that contradict it. */
export type Reviewed = { record: ShownRecord; rivals: string[] }

/** A verified record and another record of its fact key that contradicts it. */
export type Pair = { verified: Reviewed; other: Reviewed }

export type ReviewPage = {
  /** The path of the project. */
  path: string
  /** The path of this page, to which its actions return. */
  back: string
  /** Verified records that an assistant forgot, and whether there are more of them than are shown. */
  forgotten: ShownRecord[]
  areMoreForgotten: boolean
  pairs: Pair[]
  /** Whether there are more pairs than are shown. */
  more: boolean
  unverified: Reviewed[]
  older: string | undefined
}

/** The records that wait for a person: verified ones that an assistant forgot, contradictions, then unverified records. */
export function toReview(page: ReviewPage): Html {
  const { path, back, pairs, more, unverified, older } = page
  const cards = unverified.map((one) => toUnverified(path, back, one))
  return html`<h1>Review</h1>
${toForgotten(page)}
${
  pairs.length === 0
    ? undefined
    : html`<section><h2>Contradictions</h2>
<p class="quiet">Two records of one fact key say different things. Choose which one holds.</p>
${pairs.map((pair) => toPair(path, back, pair))}
${more ? html`<p class="quiet">These are the newest. More follow when they are settled.</p>` : undefined}
</section>`
}
<section><h2>Not verified, newest first</h2>
<p class="quiet">Verifying says that a person confirms a record. A verified record is not superseded by one that nobody verified.</p>
${toRecordList(cards, 'Nothing to review.')}
${toOlderLink(older)}
</section>`
}

function toForgotten({ path, back, forgotten, areMoreForgotten }: ReviewPage): Html | undefined {
  if (forgotten.length === 0) return undefined
  const cards = forgotten.map((record) => {
    const target = { path, back, id: record.id, about: record.fact_key }
    return toRecordCard(path, record, { note: toBadge('forgotten', 'bad'), actions: [toRestoreButton(target), toLeaveButton(target)] })
  })
  return html`<section><h2>Forgotten by an assistant, though verified</h2>
<p class="quiet">A person had confirmed these. No search finds them any more. Restored, they hold again as they did before.</p>
${toRecordList(cards, '')}
${areMoreForgotten ? html`<p class="quiet">These were forgotten last. More follow when they are settled.</p>` : undefined}
</section>`
}

function toPair(path: string, back: string, { verified, other }: Pair): Html {
  const target = ({ record, rivals }: Reviewed) => ({ path, back, id: record.id, about: record.fact_key, rivals })
  const bothVerified = other.record.status === 'verified'
  const keep = bothVerified
    ? toVerifyButton(target(verified), { label: 'Keep the older one' })
    : toForgetButton(target(other), { label: 'Keep the verified one', look: 'main' })
  const take = toVerifyButton(target(other), { label: bothVerified ? 'Keep the newer one' : 'Take the new one', look: 'plain' })
  const effect = bothVerified
    ? 'The one that is not kept becomes superseded.'
    : 'Keeping the verified one forgets the new one. Taking the new one verifies it, and the other becomes superseded.'
  return html`<div class="panel pair">
<div class="sides">${toRecordCard(path, verified.record)}${toRecordCard(path, other.record)}</div>
<div class="row">${keep}${take}</div>
<p class="quiet">${effect}</p>
</div>`
}

function toUnverified(path: string, back: string, { record, rivals }: Reviewed): Html {
  const target = { path, back, id: record.id, about: record.fact_key, rivals }
  return toRecordCard(path, record, {
    actions: [toVerifyButton(target, rivals.length === 0 ? { label: 'Verify', look: 'plain' } : undefined), toForgetButton(target)],
  })
}
