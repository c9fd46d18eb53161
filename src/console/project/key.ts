import { toButton, toHidden, toSelect } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { type KeyWithHolder, toHolder, toState } from './keys.ts'

type KeyPage = KeyWithHolder & {
  /** The path of the list. */
  at: string
  overlap: string
  /** Whether the visitor opens the project by no other key. */
  last: boolean
  /** Whether the visitor may see the key that takes its place. */
  rotates: boolean
  /** Names the form that rotates it. */
  form: string
}

/** How long an old key still works beside the one that replaces it, in milliseconds. */
export const OVERLAPS = [
  { value: 'none', label: 'not at all', span: 0 },
  { value: '1h', label: '1 hour', span: 60 * 60_000 },
  { value: '24h', label: '24 hours', span: 24 * 60 * 60_000 },
  { value: '7d', label: '7 days', span: 7 * 24 * 60 * 60_000 },
]

/** One key: what is known of it, and how it is replaced or revoked. */
export function toKey({ key, state, holder, at, overlap, last, rotates, form }: KeyPage): Html {
  const { label, shown, toolNames, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return html`<p class="back"><a href="${at}">All keys</a></p>
<h1><bdi>${label}</bdi></h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['State', toState(state)],
  ['Holder', toHolder(holder)],
  ['Tool names', toolNames],
  ['Made', toTime(createdAt)],
  ['Expires', expiresAt === null ? 'never' : toTime(expiresAt)],
  ['Revoked', revokedAt === null ? undefined : toTime(revokedAt)],
  ['Last used', lastUsedAt === null ? 'never' : toTime(lastUsedAt)],
])}
${state === 'active' ? toActs(`${at}/${key.id}`, label, rotates ? toRotation(`${at}/${key.id}`, overlap, form) : undefined, last) : html`<p>It opens nothing any more. Issue a new one in its place.</p>`}`
}

function toActs(path: string, label: string, rotation: Html | undefined, last: boolean): Html {
  return html`${rotation}
<section class="panel"><h2>Revoke</h2>
<p>The next call with this key is refused, and so are hosted assistants that were connected by it. There is no way back.</p>
${last ? html`<p>It is the last key by which you open this project: without it you do not see the project here either.</p>` : undefined}
<div class="actions">${toButton(`${path}/revoke`, 'Revoke', { look: 'danger', about: label })}</div>
</section>`
}

function toRotation(path: string, overlap: string, form: string): Html {
  return html`<section class="panel"><h2>Rotate</h2>
<p>Issues a key in place of this one: same holder, label, tool names and length of life. The new key is shown once.</p>
<form method="post" action="${path}/rotate">${toHidden({ form })}
${toSelect({ name: 'overlap', label: 'The old key still works', value: overlap }, OVERLAPS)}
<div class="actions"><button class="main">Rotate</button></div>
</form></section>`
}
