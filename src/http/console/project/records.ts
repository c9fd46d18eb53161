import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Filters, type FoundRecords, type ListedRecords, toRecords } from '../../../console/project/records.ts'
import { listRecords, PAGE_SIZE, viewerOf } from '../../../memory/records/list-records.ts'
import { STATUSES } from '../../../memory/records/record.ts'
import { explainSearch } from '../../../memory/search/explain.ts'
import { EVERY_WORKSPACE, MAX_WORDS_OFFSET } from '../../../memory/search/request.ts'
import { SCOPES, visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces } from '../../../memory/workspaces/list-workspaces.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

/** The first page of a project: a list of its records, or a search. */
export function records(service: Service) {
  return new Elysia({ name: 'console/records' })
    .get(
      '/console/projects/:project',
      page(service, async (req) => redirect(`${(await toProjectRequest(req)).path}/records${req.url.search}`)),
    )
    .get('/console/projects/:project/records', page(service, showRecords))
}

async function showRecords(req: PageRequest, state: FormState): Promise<Response> {
  const place = await openMemory(req, 'read')
  const { project, path, caller, memory } = place
  const filters = readFilters(req.url.searchParams)
  const workspaces = await listWorkspaces(memory, visibleTo(caller))
  const shown = filters.words === '' ? await list(req, place, filters) : await search(req, place, filters)
  const known = { names: workspaces.workspaces.map(({ name }) => name), areMore: workspaces.more !== undefined }
  const body = toRecords({ path, filters, workspaces: known, shown })
  return toConsolePage(req, state, { title: 'Records', section: `${path}/records`, project, body })
}

function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  return {
    words: text('q'),
    workspace: text('workspace'),
    scope: text('scope'),
    status: text('status'),
    fresh: query.has('fresh'),
    source: query.get('source') ?? '',
    factKey: text('fact_key'),
    author: text('author'),
    since: text('since'),
    until: text('until'),
  }
}

async function search({ service, url }: PageRequest, { caller, path }: ProjectMemory, filters: Filters): Promise<FoundRecords> {
  const { words: query, workspace, fresh } = filters
  const place = { workspace: workspace || EVERY_WORKSPACE, offset: readOffset(url), limit: PAGE_SIZE }
  const narrowed = { exclude_stale: fresh, ...toSelection(filters) }
  const { result, hint, next_offset: next } = await explainSearch(service, caller, { query, ...place, ...narrowed })
  const more = next === undefined ? undefined : toQueryPath(`${path}/records`, { ...toQuery(filters), offset: String(next) })
  return { workspace, result, hint, more }
}

/** The number in the query of a link of this page; 0 for anything that such a link does not have. */
function readOffset({ searchParams }: URL): number {
  const offset = Number(searchParams.get('offset') ?? 0)
  return Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, MAX_WORDS_OFFSET) : 0
}

async function list(
  { service, url }: PageRequest,
  { caller, path, prepareShown }: ProjectMemory,
  filters: Filters,
): Promise<ListedRecords> {
  const { workspace, fresh } = filters
  const before = url.searchParams.get('before') ?? undefined
  const selected = { ...toSelection(filters), workspace: workspace || undefined, exclude_stale: fresh, before }
  const part = await listRecords(service, viewerOf(caller), selected)
  const shown = part.records.map(await prepareShown(part.records))
  return { records: shown, older: part.older && toQueryPath(`${path}/records`, { ...toQuery(filters), before: part.older }) }
}

/** What the filters say, without those that are empty, and values of a choice that are none. */
function toSelection({ source, factKey, author, since, until, ...chosen }: Filters) {
  const scope = SCOPES.find((one) => one === chosen.scope)
  const status = STATUSES.find((one) => one === chosen.status)
  return {
    ...(scope && { scope }),
    ...(status && { status }),
    ...(source && { source_id: source }),
    ...(factKey && { fact_key: factKey }),
    ...(author && { author }),
    ...(since && { since }),
    ...(until && { until }),
  }
}

/** The filters as the query of a link to this page. */
function toQuery({ words, fresh, factKey, ...texts }: Filters): Record<string, string> {
  return { q: words, ...texts, fact_key: factKey, fresh: fresh ? 'yes' : '' }
}
