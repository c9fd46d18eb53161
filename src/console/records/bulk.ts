import { requireActiveSubscription } from '../../account/subscription/subscription.ts'
import { Refusal } from '../../errors.ts'
import { type BulkAct, type BulkResult, changeRecords, MAX_BULK_RECORDS } from '../../memory/records/bulk/bulk.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { requireWorkspaceName } from '../../memory/workspaces/workspace.ts'
import type { Done } from '../done-messages.ts'
import { readReturnPath } from '../form.ts'
import type { Action, MemoryRequest } from '../page.ts'
import { offerUndo, redirect } from '../response.ts'
import { toConfirmation } from './bulk-bar.ts'

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

/** The message after each act, and the act that undoes it. */
const DONE: Record<BulkAct['kind'], { message: Done; undoing: BulkAct['kind'] }> = {
  verify: { message: 'records.verified', undoing: 'unverify' },
  unverify: { message: 'records.unverified', undoing: 'verify' },
  forget: { message: 'records.forgotten', undoing: 'restore' },
  restore: { message: 'records.restored', undoing: 'forget' },
  move: { message: 'records.moved', undoing: 'return' },
  scope: { message: 'records.scoped', undoing: 'return' },
  return: { message: 'records.returned', undoing: 'return' },
}

/** The fields of the form that does an undoing act on these records; for those that were moved, with where each was. */
function toUndoing(act: BulkAct['kind'], before: BulkResult['before']): [string, string][] {
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
  const { message, undoing } = DONE[kind]
  const undo = changed === 0 ? {} : await offerUndo(req, `${req.path}/records/bulk`, toUndoing(undoing, before))
  return redirect(back, message, { query: { n: changed, ...Object.fromEntries(leftOut), ...undo } })
}
