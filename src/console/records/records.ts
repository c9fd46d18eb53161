import { toIsoTime } from '../../clock.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import { listFilteredIds } from '../../memory/records/bulk/list-ids.ts'
import { countRecords } from '../../memory/records/lists/count-records.ts'
import { listRecords, PAGE_SIZE, viewerOf } from '../../memory/records/lists/list-records.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { type Explained, explainSearch } from '../../memory/search/explain.ts'
import { EVERY_WORKSPACE, MAX_WORDS_OFFSET } from '../../memory/search/request.ts'
import { type ExportInput, exportRecords } from '../../memory/transfer/export-records.ts'
import { authorizeMemory, visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/workspace.ts'
import type { StoredRecord } from '../../store/record.ts'
import { readFiltered } from '../form.ts'
import { type MemoryRequest, openForReading, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { toDownload } from '../response.ts'
import { changeAll } from './bulk.ts'
import { type Filters, readFilters, toFilters, toListArguments, toWordings } from './record-filters.ts'
import {
  type FoundRecord,
  type FoundRecords,
  type ListedRecords,
  type ListPlace,
  toFoundCard,
  toRecords,
} from './record-list.ts'

/** The records of a project: a list, or a search. */
export const records = pageOf(openForReading, {
  path: '/console/projects/:project/records',
  show: showRecords,
  views: { '/export': downloadShown },
  forms: { '/bulk': changeAll(listFiltered) },
})

async function showRecords(req: MemoryRequest): Promise<PageContent> {
  const { service, url, caller, memory } = req
  const filters = readFilters(url.searchParams)
  const fields = toFilters(filters, await listWorkspaces(memory, visibleTo(caller)))
  const { found, refused } = await readFiltered(async () =>
    filters.q === '' ? list(req, filters) : search(req, filters),
  )
  const body = toRecords({ path: req.path, filters, fields, shown: found, now: service.clock.now() })
  return { title: 'Records', body, refused }
}

async function search(req: MemoryRequest, filters: Filters): Promise<FoundRecords> {
  const { service, caller, at } = req
  const offset = readOffset(req.url)
  const { result, hint, next_offset: next } = await explainSearch(service, caller, toSearch(filters, offset))
  const more = next === undefined ? undefined : toQueryPath(at, { ...filters, offset: String(next) })
  return { result: await toFound(req, result), hint, offset, more }
}

/** The arguments of a search for the words of the filters. */
function toSearch(filters: Filters, offset: number) {
  const { workspace = EVERY_WORKSPACE, ...narrowed } = toListArguments(filters)
  return { ...toWordings(filters), workspace, offset, limit: PAGE_SIZE, ...narrowed }
}

/** The found records as they are shown. Long contents take long to read, and their best passages to be found. */
async function toFound({ memory, caller, prepareShown, path }: MemoryRequest, result: Explained[]) {
  const records = new Map<string, StoredRecord>()
  for (const { id } of result) {
    const record = await memory.findRecord(visibleTo(caller), id)
    if (record !== undefined) records.set(id, record)
  }
  const toShown = await prepareShown([...records.values()])
  const found: FoundRecord[] = []
  for (const one of result) {
    await yieldIfDue()
    const record = records.get(one.id)
    if (record !== undefined) found.push(toFoundCard(path, toShown(record), one))
  }
  return found
}

/** The offset in the query of a link of this page; 0 if it is invalid. */
function readOffset({ searchParams }: URL): number {
  const offset = Number(searchParams.get('offset') ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, MAX_WORDS_OFFSET) : 0
}

async function list(req: MemoryRequest, filters: Filters): Promise<ListedRecords> {
  const { service, url, actor, project, caller, prepareShown } = req
  const selected = toListArguments(filters)
  const place = readListPlace(url)
  const { records, newer, older } = await listRecords(service, viewerOf(caller), { ...selected, ...place })
  const total = await countRecords(service, await authorizeMemory(service, actor, project.id, 'read'), selected)
  return { records: records.map(await prepareShown(records)), total, place, newer, older }
}

/** The page that a link to newer or older records leads to. */
function readListPlace({ searchParams }: URL): ListPlace {
  const [before, after] = [searchParams.get('before'), searchParams.get('after')]
  if (before) return { before }
  return after ? { after } : {}
}

/** The export of a project's records as JSON Lines. */
export const exports = pageOf(openForReading, {
  path: '/console/projects/:project/export',
  show: (req) => download(req, req.project.name, { projectId: req.project.id }),
})

/** The export of the records that a list shows, as JSON Lines. */
async function downloadShown(req: MemoryRequest): Promise<Response> {
  const filters = readFilters(req.url.searchParams)
  const only = filters.q === '' ? toListArguments(filters) : { ids: await findIds(req, filters) }
  return download(req, `${req.project.name}-records`, { projectId: req.project.id, only })
}

/** The ids of all records that the words find, best first, up to the number of results that a list can show. */
async function findIds({ service, caller }: MemoryRequest, filters: Filters): Promise<string[]> {
  const ids: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined && offset <= MAX_WORDS_OFFSET; ) {
    const found: Awaited<ReturnType<typeof explainSearch>> = await explainSearch(
      service,
      caller,
      toSearch(filters, offset),
    )
    ids.push(...found.result.map(({ id }) => id))
    offset = found.next_offset
  }
  return ids
}

/** The first lines are read before the response begins, so that a refusal becomes a page. */
async function download({ service, actor }: PageRequest, name: string, input: ExportInput): Promise<Response> {
  const batches = exportRecords(service, actor, input)
  const first = await batches.next()
  async function* pieces(): AsyncGenerator<string, void> {
    if (first.done) return
    try {
      yield first.value.join('')
      for await (const lines of batches) yield lines.join('')
    } finally {
      await batches.return(undefined)
    }
  }
  return toDownload(service, { pieces: pieces(), type: 'application/x-ndjson', name, extension: 'jsonl' })
}

/** Records that match the filters and were saved before the page was rendered. */
async function listFiltered({ service, caller }: MemoryRequest, form: URLSearchParams): Promise<string[]> {
  const filters = readFilters(new URLSearchParams(form.get('filter') ?? ''))
  if (filters.q !== '') throw new Refusal('records that words find are chosen one by one')
  const asOf = Number(form.get('as_of'))
  if (!Number.isSafeInteger(asOf) || asOf <= 0) throw new Refusal('the form is not complete; open the page again')
  // A day as the end of the filter lasts until its midnight, which may be after the page.
  const end = filters.until === '' ? asOf : readEnd('until', filters.until)
  const until = toIsoTime(Math.min(end, asOf, service.clock.now()))
  return listFilteredIds(service, viewerOf(caller), toListArguments({ ...filters, until }))
}
