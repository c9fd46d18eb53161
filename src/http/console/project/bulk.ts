import { Elysia } from 'elysia'
import { toIsoTime } from '../../../clock.ts'
import type { Done } from '../../../console/done-messages.ts'
import { toBulkConfirmation } from '../../../console/project/records/bulk.ts'
import { Refusal } from '../../../errors.ts'
import {
  type BulkAct,
  type BulkResult,
  changeRecords,
  listFilteredIds,
  listTrashIds,
  MAX_BULK_RECORDS,
} from '../../../memory/records/bulk/bulk.ts'
import { viewerOf } from '../../../memory/records/lists/list-records.ts'
import { readEnd } from '../../../memory/records/lists/record-filter.ts'
import { SCOPES } from '../../../memory/visibility.ts'
import { requireWorkspaceName } from '../../../memory/workspaces/workspace.ts'
import type { Service } from '../../../service.ts'
import { readReturnPath } from '../form-fields.ts'
import { type Action, action } from '../handle.ts'
import { type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'
import { readFilters, showRecords, toListArguments } from './records.ts'
import { showTrash } from './trash.ts'

const PROJECT = '/console/projects/:project'

/** Actions on many records at once: on those selected in a list, or on all that match its filters. */
export function bulk(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/bulk' })
    .post(`${PROJECT}/records/bulk`, action(service, changeAll('records', listFiltered), showRecords), raw)
    .post(`${PROJECT}/trash/bulk`, action(service, changeAll('trash', listTrash), showTrash), raw)
}

type ListAll = (req: PageRequest, place: ProjectMemory, form: URLSearchParams) => Promise<string[]>

/** An action on the records of a page. `listAll` returns the ids of all records of its list. */
function changeAll(name: string, listAll: ListAll): Action {
  return async (req, form) => {
    const place = await openMemory(req, 'write')
    const act = readAct(form)
    const at = `${place.path}/${name}`
    const back = readReturnPath(form, at, at)
    if (form.get('all') !== 'yes') return redirectDone(back, act, await change(req, place, act, form.getAll('id')))
    const ids = await listAll(req, place, form)
    if (form.get('confirmed') === 'yes') return redirectDone(back, act, await change(req, place, act, ids.slice(0, MAX_BULK_RECORDS)))
    const count = Math.min(ids.length, MAX_BULK_RECORDS)
    const fields = [...form].filter(([field]) => field !== 'id')
    const body = toBulkConfirmation({ action: `${at}/bulk`, fields, act: act.kind, count, isMore: ids.length > count, back })
    return toConsolePage(req, {}, { title: 'Are you sure?', section: at, project: place.project, body })
  }
}

function change(req: PageRequest, { project }: ProjectMemory, act: BulkAct, ids: string[]): Promise<BulkResult> {
  return changeRecords(req.service, req.actor, { projectId: project.id, act, ids: [...new Set(ids)] })
}

function readAct(form: URLSearchParams): BulkAct {
  const kind = form.get('act')
  switch (kind) {
    case 'verify':
    case 'forget':
    case 'restore':
      return { kind }
    case 'move':
      return { kind, workspace: readWorkspace(form) }
    case 'scope': {
      const scope = SCOPES.find((one) => one === form.get('to_scope'))
      if (scope === undefined) throw new Refusal('choose who is to see the records', 'to_scope')
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
async function listFiltered({ service }: PageRequest, { caller }: ProjectMemory, form: URLSearchParams): Promise<string[]> {
  const filters = readFilters(new URLSearchParams(form.get('filter') ?? ''))
  if (filters.words !== '') throw new Refusal('what words find is chosen one by one')
  const asOf = Number(form.get('as_of'))
  if (!Number.isSafeInteger(asOf) || asOf <= 0) throw new Refusal('the form is not complete; open the page again')
  // A day as the end of the filter lasts until its midnight, which may be after the page.
  const end = filters.until === '' ? asOf : readEnd('until', filters.until)
  const until = toIsoTime(Math.min(end, asOf, service.clock.now()))
  return listFilteredIds(service, viewerOf(caller), toListArguments({ ...filters, until }))
}

async function listTrash({ service }: PageRequest, { caller }: ProjectMemory): Promise<string[]> {
  return listTrashIds(service, viewerOf(caller))
}

const DONE: Record<BulkAct['kind'], Done> = {
  verify: 'records.verified',
  forget: 'records.forgotten',
  restore: 'records.restored',
  move: 'records.moved',
  scope: 'records.scoped',
}

/** Redirects to the list, with a message of how many records were changed, and how many not. */
function redirectDone(back: string, { kind }: BulkAct, { changed, contested, foreign, other, reason }: BulkResult): Response {
  if (changed === 0 && other > 0 && reason !== undefined) throw new Refusal(reason)
  const leftOut = Object.entries({ contested, foreign, other }).filter(([, count]) => count > 0)
  return redirect(back, DONE[kind], { query: { n: changed, ...Object.fromEntries(leftOut) } })
}
