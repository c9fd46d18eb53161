import { type BulkAct, MAX_BULK_RECORDS } from '../../memory/records/bulk/bulk.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { FORM_ID, toDescription, toHiddenFields, toNotes, toTicked } from '../markup/form.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html, inContext } from '../markup/html.ts'

/** The id of the form that the boxes of a list belong to. */
const BULK_FORM = 'bulk'

/** The box that chooses a record of a list, whose label is the element `h-<id>`. */
export const toChoiceBox = (id: string): Html =>
  html`<input type="checkbox" name="id" value="${id}" form="${BULK_FORM}" aria-labelledby="h-${id}"${toTicked('id', id)}>`

type BulkBar = {
  /** The path that it posts to. */
  action: string
  /** Hidden fields of the form. */
  fields: Record<string, string>
  /**
   * The label of the box that chooses all records of the list, on all of its pages; undefined if not all can be chosen.
   */
  all: string | undefined
  acts: Html
}

/** The actions on selected records of a list, or on all of them. Shown as soon as one is selected. */
export function toBulkBar({ action, fields, all, acts }: BulkBar): Html {
  // The Enter key presses the first button.
  return html`<form method="post" action="${action}" id="${BULK_FORM}" class="bulk" aria-label="Chosen records">${FORM_ID}<button disabled hidden></button>${toHiddenFields(fields)}
<p>${all === undefined ? 'Choose records to act on them together.' : html`<label><input type="checkbox" name="all" value="yes"${toTicked('all', 'yes')}> ${all}</label>`}</p>
<div class="acts">${acts}</div>
</form>`
}

/** The actions on records that are not forgotten, with what was typed for a refused one. */
export const RECORD_ACTS = inContext(({ refused }) =>
  toActs(refused?.fields?.get('to') ?? '', refused?.fields?.get('to_scope') ?? ''),
)

function toActs(workspace: string, scope: string): Html {
  return html`<button class="main small" name="act" value="verify">Verify</button>
<button class="danger small" name="act" value="forget">Forget</button>
<span class="joined"><input name="to" value="${workspace}" maxlength="64" autocomplete="off" placeholder="Workspace" aria-label="Workspace to move to"${toDescription('to')}><button class="small" name="act" value="move">Move</button>${toNotes('to')}</span>
<span class="joined"><select name="to_scope" aria-label="New scope"${toDescription('to_scope')}>${SCOPES.map((one) => html`<option${one === scope ? html` selected` : undefined}>${one}</option>`)}</select><button class="small" name="act" value="scope">Change scope</button>${toNotes('to_scope')}</span>`
}

/** The action on forgotten records. */
export const RESTORE_ACT = html`<button class="main small" name="act" value="restore">Restore</button>`

/** The acts that are offered for all records of a list. */
type OfferedAct = Exclude<BulkAct['kind'], 'unverify' | 'return'>

const EFFECTS: Record<OfferedAct, { title: string; effect: string; button: string }> = {
  verify: {
    title: 'Verify',
    effect:
      'You confirm each of them, and no unverified record supersedes it. Those that contradict another record are left out: choose under Review.',
    button: 'Verify them',
  },
  forget: {
    title: 'Forget',
    effect: 'No search finds them. They can be restored from the trash, together or one by one.',
    button: 'Forget them',
  },
  restore: { title: 'Restore', effect: 'Searches find them again, each where it was.', button: 'Restore them' },
  move: {
    title: 'Move',
    effect:
      'Assistants that search only another workspace no longer find them. In the new one, they may supersede records of their fact keys, or be superseded.',
    button: 'Move them',
  },
  scope: {
    title: 'Change who sees',
    effect: 'Records of others stay as they are, unless an owner or admin gives them to everybody.',
    button: 'Change them',
  },
}

/**
 * Confirmation before an action on all records of a list, with the same form to send again. `back` is the path to
 * return to.
 */
export function toConfirmation(
  action: string,
  form: URLSearchParams,
  act: OfferedAct,
  found: number,
  back: string,
): Html {
  const { title, effect, button } = EFFECTS[act]
  const fields = [...form].filter(([field]) => field !== 'id')
  return html`<h1>${title} ${countOf(Math.min(found, MAX_BULK_RECORDS), 'record')}?</h1>
<p>${effect}</p>
${found > MAX_BULK_RECORDS ? html`<p class="quiet">These are the first of more; do it again for the rest.</p>` : undefined}
<form method="post" action="${action}">${FORM_ID}${toHiddenFields(fields)}
<div class="actions"><button class="${act === 'forget' ? 'danger' : 'main'}" name="confirmed" value="yes">${button}</button><a class="button" href="${back}">Cancel</a></div>
</form>`
}
