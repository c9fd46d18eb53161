import { requireActiveSubscription } from '../../account/subscription/subscription.ts'
import { toIsoTime } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import {
  type BulkAct,
  type BulkResult,
  changeRecords,
  listFilteredIds,
  MAX_BULK_RECORDS,
} from '../../memory/records/bulk/bulk.ts'
import { viewerOf } from '../../memory/records/lists/list-records.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { requireWorkspaceName } from '../../memory/workspaces/workspace.ts'
import type { Done } from '../done-messages.ts'
import { readReturnPath } from '../form.ts'
import { FORM_ID, toDescription, toHiddenFields, toNotes, toTicked } from '../markup/form.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import type { Action, MemoryRequest } from '../page.ts'
import { offerUndo, redirect } from '../response.ts'
import { BULK_FORM } from './record-card.ts'
import { readFilters, toListArguments } from './record-filters.ts'

type ListAll = (req: MemoryRequest, form: URLSearchParams) => Promise<string[]>

/**
 * An action on the records of a page. `listAll` returns the ids of all records of its list, and `source` the source
 * that these are all records of, if there is one.
 */
export function changeAll(listAll: ListAll, source?: (form: URLSearchParams) => string): Action<MemoryRequest> {
  return async (req, form) => {
    const { service, actor, project, caller, path, at } = req
    await requireActiveSubscription(service, caller, 'write')
    const act = readAct(form, req.isUndo)
    const back = readReturnPath(form, path, at)
    const change = async (all: string[]) => {
      const ids = [...new Set(all)].slice(0, MAX_BULK_RECORDS)
      const result = await changeRecords(service, actor, { projectId: project.id, act, ids, source: source?.(form) })
      return redirectDone(req, back, act, { ...result, more: Number(all.length > MAX_BULK_RECORDS) })
    }
    if (form.get('all') !== 'yes') return change(form.getAll('id'))
    const ids = await listAll(req, form)
    if (form.get('confirmed') === 'yes' || act.kind === 'unverify' || act.kind === 'return') return change(ids)
    return { title: 'Are you sure?', body: toConfirmation(`${at}/bulk`, form, act.kind, ids.length, back) }
  }
}

function readAct(form: URLSearchParams, isUndo = false): BulkAct {
  const kind = form.get('act')
  switch (kind) {
    case 'forget':
      return { kind, stale: form.get('stale') === 'yes' }
    case 'verify':
    case 'restore':
    case 'unverify':
      return { kind }
    case 'return':
      // Nobody may make up where records were, and who saw them.
      if (isUndo) return { kind, before: readPlaces(form.getAll('id'), form.getAll('place')) }
      throw new Refusal('choose what to do with the records')
    case 'move':
      return { kind, workspace: readWorkspace(form) }
    case 'scope': {
      const scope = SCOPES.find((one) => one === form.get('to_scope'))
      if (scope === undefined) throw new Refusal('choose a scope', 'to_scope')
      return { kind, scope }
    }
    default:
      throw new Refusal('choose what to do with the records')
  }
}

function readWorkspace(form: URLSearchParams): string {
  const name = form.get('to')?.trim() ?? ''
  if (name === '') throw new Refusal('name the workspace to move the records to', 'to')
  requireWorkspaceName(name, 'to')
  return name
}

/** Records that match the filters and were saved before the page was rendered. */
export async function listFiltered({ service, caller }: MemoryRequest, form: URLSearchParams): Promise<string[]> {
  const filters = readFilters(new URLSearchParams(form.get('filter') ?? ''))
  if (filters.q !== '') throw new Refusal('records that words find are chosen one by one')
  const asOf = Number(form.get('as_of'))
  if (!Number.isSafeInteger(asOf) || asOf <= 0) throw new Refusal('the form is not complete; open the page again')
  // A day as the end of the filter lasts until its midnight, which may be after the page.
  const end = filters.until === '' ? asOf : readEnd('until', filters.until)
  const until = toIsoTime(Math.min(end, asOf, service.clock.now()))
  return listFilteredIds(service, viewerOf(caller), toListArguments({ ...filters, until }))
}

const DONE: Record<BulkAct['kind'], Done> = {
  verify: 'records.verified',
  forget: 'records.forgotten',
  restore: 'records.restored',
  move: 'records.moved',
  scope: 'records.scoped',
  unverify: 'records.unverified',
  return: 'records.returned',
}

const UNDOING: Record<BulkAct['kind'], BulkAct['kind']> = {
  verify: 'unverify',
  unverify: 'verify',
  forget: 'restore',
  restore: 'forget',
  move: 'return',
  scope: 'return',
  return: 'return',
}

/** The fields of the form that undoes an act on these records; for those that were moved, with where each was. */
function toUndoing(kind: BulkAct['kind'], before: BulkResult['before']): [string, string][] {
  const act = UNDOING[kind]
  const entries: [string, string][] = [['act', act]]
  for (const [id, { workspaceId, audience }] of before) {
    entries.push(['id', id])
    if (act === 'return') entries.push(['place', `${workspaceId} ${audience}`])
  }
  return entries
}

function readPlaces(ids: string[], places: string[]) {
  return new Map(
    ids.map((id, at) => {
      const [workspaceId, audience = ''] = (places[at] ?? '').split(' ')
      return [id, { workspaceId: Number(workspaceId), audience }]
    }),
  )
}

/** Redirects to the list, with a message of how many records were changed, and how many not, and the undo. */
async function redirectDone(
  req: MemoryRequest,
  back: string,
  { kind }: BulkAct,
  { changed, contested, foreign, other, reason, before, more }: BulkResult & { more: number },
): Promise<Response> {
  if (changed === 0 && other > 0 && reason !== undefined) throw new Refusal(reason)
  const leftOut = Object.entries({ contested, foreign, other, more }).filter(([, count]) => count > 0)
  const undo = changed === 0 ? {} : await offerUndo(req, `${req.path}/records/bulk`, toUndoing(kind, before))
  return redirect(back, DONE[kind], { query: { n: changed, ...Object.fromEntries(leftOut), ...undo } })
}

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
function toConfirmation(action: string, form: URLSearchParams, act: OfferedAct, found: number, back: string): Html {
  const { title, effect, button } = EFFECTS[act]
  const fields = [...form].filter(([field]) => field !== 'id')
  return html`<h1>${title} ${countOf(Math.min(found, MAX_BULK_RECORDS), 'record')}?</h1>
<p>${effect}</p>
${found > MAX_BULK_RECORDS ? html`<p class="quiet">These are the first of more; do it again for the rest.</p>` : undefined}
<form method="post" action="${action}">${FORM_ID}${toHiddenFields(fields)}
<div class="actions"><button class="${act === 'forget' ? 'danger' : 'main'}" name="confirmed" value="yes">${button}</button><a class="button" href="${back}">Cancel</a></div>
</form>`
}
