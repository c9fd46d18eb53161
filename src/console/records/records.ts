import { Refusal } from '../../errors.ts'
import { countRecords } from '../../memory/records/lists/count-records.ts'
import { listRecords, PAGE_SIZE, viewerOf } from '../../memory/records/lists/list-records.ts'
import { type Explained, explainSearch } from '../../memory/search/explain.ts'
import { EVERY_WORKSPACE, MAX_WORDS_OFFSET } from '../../memory/search/request.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/list-workspaces.ts'
import type { Page } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { type FormState, openMemory, type PageRequest, type ProjectMemory, toConsolePage } from '../request.ts'
import { changeAll, listFiltered } from './bulk.ts'
import { downloadShown } from './export.ts'
import { type Filters, readFilters, toListArguments, toQuery } from './record-filters.ts'
import { type FoundRecord, type FoundRecords, type ListedRecords, type ListPlace, toRecords } from './record-list.ts'

/** The records of a project: a list, or a search. */
export const records: Page = {
  path: '/console/projects/:project/records',
  show: showRecords,
  views: { '/export': downloadShown },
  forms: { '/bulk': changeAll('records', listFiltered) },
}

export async function showRecords(req: PageRequest, state: FormState): Promise<Response> {
  const place = await openMemory(req, 'read')
  const { project, path, caller, memory } = place
  const filters = readFilters(req.url.searchParams)
  const workspaces = await listWorkspaces(memory, visibleTo(caller))
  const { shown, refused } = await readShown(req, place, filters)
  const known = { names: workspaces.workspaces.map(({ name }) => name), areMore: workspaces.more !== undefined }
  const body = toRecords({ path, filters, workspaces: known, shown, now: req.service.clock.now() })
  return toConsolePage(req, state.error === undefined ? (refused ?? {}) : state, {
    title: 'Records',
    section: `${path}/records`,
    project,
    body,
  })
}

/** The records that match the filters, or the reason why these were refused. */
async function readShown(req: PageRequest, place: ProjectMemory, filters: Filters) {
  try {
    return { shown: filters.words === '' ? await list(req, place, filters) : await search(req, place, filters) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { shown: { error: error.message }, refused: { error: error.message, field: error.field } }
  }
}

async function search(req: PageRequest, place: ProjectMemory, filters: Filters): Promise<FoundRecords> {
  const { words: query, workspace } = filters
  const { workspace: _, ...narrowed } = toListArguments(filters)
  const asked = { query, workspace: workspace || EVERY_WORKSPACE, offset: readOffset(req.url), limit: PAGE_SIZE, ...narrowed }
  const { result, hint, next_offset: next } = await explainSearch(req.service, place.caller, asked)
  const more = next === undefined ? undefined : toQueryPath(`${place.path}/records`, { ...toQuery(filters), offset: String(next) })
  return { workspace, result: await toFound(place, result), hint, more }
}

/** The found records with their full contents, in the form of lists. */
async function toFound({ memory, caller, prepareShown }: ProjectMemory, result: Explained[]): Promise<FoundRecord[]> {
  const records = await Promise.all(result.map(({ id }) => memory.findRecord(visibleTo(caller), id)))
  const toShown = await prepareShown(records.filter((record) => record !== undefined))
  return result.flatMap(({ score, terms, source_evidence, stale }, at) => {
    const record = records[at]
    return record === undefined ? [] : [{ record: { ...toShown(record), stale }, score, terms, source_evidence }]
  })
}

/** The offset in the query of a link of this page; 0 if it is invalid. */
function readOffset({ searchParams }: URL): number {
  const offset = Number(searchParams.get('offset') ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, MAX_WORDS_OFFSET) : 0
}

async function list({ service, url }: PageRequest, { caller, prepareShown }: ProjectMemory, filters: Filters): Promise<ListedRecords> {
  const selected = toListArguments(filters)
  const place = readListPlace(url)
  const { records, newer, older } = await listRecords(service, viewerOf(caller), { ...selected, ...place })
  const total = await countRecords(service, viewerOf(caller), selected)
  return { records: records.map(await prepareShown(records)), total, place, newer, older }
}

/** The page that a link to newer or older records leads to. */
function readListPlace({ searchParams }: URL): ListPlace {
  const [before, after] = [searchParams.get('before'), searchParams.get('after')]
  if (before) return { before }
  return after ? { after } : {}
}
