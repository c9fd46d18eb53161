import type { KeyState } from '../../account/keys/key-state.ts'
import type { Key } from '../../store/control.ts'
import { toField, toHidden, toSelect } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { type Column, toBadge, toTable } from '../markup/table.ts'

/** A key with who holds it: a member's name, undefined for a service key. */
export type KeyWithHolder = { key: Key; state: KeyState; holder: string | undefined }

type Holder = { id: string; name: string; email: string }

/** What a form about a key said. */
export type KeyForm = { label: string; holder: string; expires: string; toolNames: string }

type KeysPage = {
  /** The path of the page. */
  at: string
  keys: KeyWithHolder[]
  older: string | undefined
  /** The visitor, where they may choose whether the key is theirs or nobody's. */
  self: Holder | undefined
  wish: KeyForm
  /** Names the form that issues a key. */
  form: string
}

const COLUMNS: Column[] = [
  { label: 'Label' },
  { label: 'Holder' },
  { label: 'State' },
  { label: 'Made' },
  { label: 'Expires' },
  { label: 'Last used' },
]
const TOOL_NAMES = [
  { value: 'dotted', label: 'with a dot: github.get_me' },
  { value: 'underscored', label: 'with two underscores: github__get_me' },
]

/** A project's keys, as far as the visitor may see them, and the form that issues one. */
export function toKeys({ at, keys, older, self, wish, form }: KeysPage): Html {
  const rows = keys.map(({ key, state, holder }) => [
    html`<a href="${at}/${key.id}"><bdi>${key.label}</bdi></a>${toShown(key)}`,
    toHolder(holder),
    toState(state),
    toTime(key.createdAt),
    key.expiresAt === null ? html`never` : toTime(key.expiresAt),
    key.lastUsedAt === null ? html`never` : toTime(key.lastUsedAt),
  ])
  return html`<h1>Keys</h1>
<p>A key opens this project to an assistant, as its holder. Open one to replace or revoke it.</p>
${toTable('Keys of this project', COLUMNS, rows, 'No keys yet.')}
${toOlderLink(older)}
<section class="panel"><h2>Issue a key</h2>
<form method="post" action="${at}">${toHidden({ form })}
${toField({ name: 'label', label: 'Label', value: wish.label, maxlength: 100, hint: 'Where it will be used, such as “laptop”. Without one it is called after its holder.' })}
${self && toHolderChoice(self, wish.holder)}
${toField({ name: 'expires', label: 'Expires', type: 'date', value: wish.expires, hint: 'At the beginning of that day in UTC. Without a date it never does.' })}
${toSelect({ name: 'toolNames', label: 'Names of integrations’ tools', value: wish.toolNames, hint: 'Some clients refuse dots.' }, TOOL_NAMES)}
<div class="actions"><button class="main">Issue</button></div>
</form></section>`
}

function toShown({ shown, toolNames }: Key): Html {
  return html`<span class="under"><code>svc_${shown}…</code> ${toolNames === 'dotted' ? undefined : toolNames}</span>`
}

function toHolderChoice({ id, name, email }: Holder, chosen: string): Html {
  const hint =
    'Whoever has the key acts as its holder and sees their drafts, so people issue their own. A service key is its own author, of no department.'
  const options = [
    { value: id, label: `${name} (${email})` },
    { value: '', label: 'nobody: a service key' },
  ]
  return toSelect({ name: 'holder', label: 'Holder', value: chosen, hint }, options)
}

/** Who holds a key. */
export function toHolder(holder: string | undefined): Html {
  return holder === undefined ? html`service key` : html`<bdi>${holder}</bdi>`
}

/** A word for what a key still does. */
export function toState(state: KeyState): Html {
  return toBadge(state, state === 'active' ? 'good' : 'plain')
}
