import { DAY_MS, HOUR_MS } from '../../clock.ts'
import { toHiddenFields, toSelect } from '../markup/form.ts'
import { toExactTime, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { type KeyWithHolder, toHolder, toStateBadge } from './keys.ts'

type KeyPage = KeyWithHolder & {
  /** The path of the list of keys. */
  at: string
  /** The chosen value of `OVERLAPS`. */
  overlap: string
  /** Milliseconds since 1970. */
  now: number
  /** Whether the visitor may rotate it, and so see the new key. */
  isRotatable: boolean
  /** The id of the form that rotates it, against double submission. */
  formId: string
}

/** How long a key may stay valid after rotation. */
export const OVERLAPS = [
  { value: 'none', label: 'not at all', overlapMs: 0 },
  { value: '1h', label: '1 hour', overlapMs: HOUR_MS },
  { value: '24h', label: '24 hours', overlapMs: DAY_MS },
  { value: '7d', label: '7 days', overlapMs: 7 * DAY_MS },
]

/** One key: its state and dates, its rotation and its revocation. */
export function toKey(page: KeyPage): Html {
  const { key, state, holder, at } = page
  const { label, shown, toolNames, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return html`<p class="back"><a href="${at}">All keys</a></p>
<h1><bdi>${label}</bdi></h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['State', toStateBadge({ key, state }, page.now)],
  ['Holder', toHolder(holder)],
  ['Tool names', toolNames],
  ['Created', toExactTime(createdAt)],
  ['Expires', expiresAt === null ? 'never' : toExactTime(expiresAt)],
  ['Revoked', revokedAt === null ? undefined : toExactTime(revokedAt)],
  ['Last used', lastUsedAt === null ? 'never' : toExactTime(lastUsedAt)],
])}
${state === 'active' ? toActions(page) : html`<p>It opens nothing any more. Issue a new one in its place.</p>`}`
}

function toActions(page: KeyPage): Html {
  const { key, at, isRotatable } = page
  return html`${isRotatable ? toRotation(page) : undefined}
<section class="panel"><h2>Revoke</h2>
<p>The next call with this key is refused, and so are hosted assistants that were connected by it. There is no way back.</p>
<div class="actions"><a class="button danger" href="${at}/${key.id}/revoke">Revoke …</a></div>
</section>`
}

type KeyRevocation = Pick<KeyPage, 'at' | 'key' | 'holder'> & {
  /** Whether the visitor has no other access to the project. */
  isLast: boolean
}

/** Confirmation before a key is revoked: what is known of its use, and the effect. */
export function toKeyRevocation({ at, key, holder, isLast }: KeyRevocation): Html {
  const { id, label, shown, lastUsedAt } = key
  return html`<h1>Revoke “<bdi>${label}</bdi>”?</h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['Holder', toHolder(holder)],
  ['Last used', lastUsedAt === null ? 'never' : html`${toTime(lastUsedAt)}`],
])}
<p>The next call with this key is refused, and so are hosted assistants that were connected by it. There is no way back.</p>
${isLast ? html`<p class="alarm">It is your last key for this project: without it you no longer see the project here either.</p>` : undefined}
<form method="post" action="${at}/${id}/revoke">
<div class="actions"><button class="danger">Revoke this key</button><a class="button" href="${at}/${id}">Cancel</a></div>
</form>`
}

function toRotation({ key, at, overlap, formId }: KeyPage): Html {
  return html`<section class="panel"><h2>Rotate</h2>
<p>Issues a key in place of this one: same holder, label, tool names and lifetime. The new key is shown once.</p>
<form method="post" action="${at}/${key.id}/rotate">${toHiddenFields({ form: formId })}
${toSelect({ name: 'overlap', label: 'The old key still works', value: overlap }, OVERLAPS)}
<div class="actions"><button class="main">Rotate</button></div>
</form></section>`
}
