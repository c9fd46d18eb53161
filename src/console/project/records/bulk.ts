import { SCOPES } from '../../../memory/visibility.ts'
import { toDescription, toHiddenFields, toNotes } from '../../markup/form.ts'
import { countOf } from '../../markup/format.ts'
import { type Html, html, inContext } from '../../markup/html.ts'

/** The id of the form that the checkboxes of a list belong to. */
export const BULK_FORM = 'bulk'

type BulkBar = {
  /** The path that it posts to. */
  action: string
  /** Hidden fields of the form. */
  fields: Record<string, string>
  /** The label of the box that chooses all records of the list, on all of its pages; undefined if not all can be chosen. */
  all: string | undefined
  acts: Html
}

/** The actions on selected records of a list, or on all of them. Shown as soon as one is selected. */
export function toBulkBar({ action, fields, all, acts }: BulkBar): Html {
  // The Enter key presses the first button.
  return html`<form method="post" action="${action}" id="${BULK_FORM}" class="bulk" aria-label="Chosen records"><button disabled hidden></button>${toHiddenFields(fields)}
<p>${all === undefined ? 'Choose records to act on them together.' : html`<label><input type="checkbox" name="all" value="yes"${toTicked()}> ${all}</label>`}</p>
<div class="acts">${acts}</div>
</form>`
}

/** After a refused action on all of a list, all of it stays selected. */
const toTicked = (): Html => inContext(({ refused }) => (refused?.fields?.has('all', 'yes') ? html` checked` : html``))

/** The actions on records that are not forgotten, with what was typed for a refused one. */
export function toRecordActs(): Html {
  return inContext(({ refused }) => toActs(refused?.fields?.get('to') ?? '', refused?.fields?.get('to_scope') ?? ''))
}

function toActs(workspace: string, scope: string): Html {
  return html`<button class="main small" name="act" value="verify">Verify</button>
<button class="danger small" name="act" value="forget">Forget</button>
<span class="joined"><input name="to" value="${workspace}" maxlength="64" autocomplete="off" placeholder="Workspace" aria-label="Workspace to move to"${toDescription('to')}><button class="small" name="act" value="move">Move</button>${toNotes('to')}</span>
<span class="joined"><select name="to_scope" aria-label="New scope"${toDescription('to_scope')}>${SCOPES.map((one) => html`<option${one === scope ? html` selected` : undefined}>${one}</option>`)}</select><button class="small" name="act" value="scope">Change scope</button>${toNotes('to_scope')}</span>`
}

/** The action on forgotten records. */
export const RESTORE_ACT = html`<button class="main small" name="act" value="restore">Restore</button>`

const EFFECTS: Record<string, { title: string; effect: string; button: string }> = {
  verify: {
    title: 'Verify',
    effect:
      'Each is marked as confirmed by you, and no unverified record supersedes it. Those that contradict another one are left out: they are decided under Review.',
    button: 'Verify them',
  },
  forget: {
    title: 'Forget',
    effect: 'No search finds them any more. They can be restored from the trash, together or one by one.',
    button: 'Forget them',
  },
  restore: { title: 'Restore', effect: 'They are found again, each where it was.', button: 'Restore them' },
  move: {
    title: 'Move',
    effect: 'Assistants that search another workspace alone do not find them any more. In the new one the rules of their fact keys hold.',
    button: 'Move them',
  },
  scope: {
    title: 'Change who sees',
    effect: 'The records of others stay as they are, but for what an owner or admin gives to everybody.',
    button: 'Change them',
  },
}

type BulkConfirmation = {
  action: string
  /** The posted fields, which are posted again. */
  fields: [name: string, value: string][]
  act: string
  count: number
  isMore: boolean
  back: string
}

/** Confirmation before an action on all records of a list. */
export function toBulkConfirmation({ action, fields, act, count, isMore, back }: BulkConfirmation): Html {
  const { title = act, effect, button = 'Do it' } = EFFECTS[act] ?? {}
  return html`<h1>${title} ${countOf(count, 'record')}?</h1>
${effect === undefined ? undefined : html`<p>${effect}</p>`}
${isMore ? html`<p class="quiet">These are the first of more; do it again for the rest.</p>` : undefined}
<form method="post" action="${action}">${toHiddenFields(fields)}
<div class="actions"><button class="${act === 'forget' ? 'danger' : 'main'}" name="confirmed" value="yes">${button}</button><a class="button" href="${back}">Cancel</a></div>
</form>`
}
