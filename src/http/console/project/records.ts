import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Filters, type FoundRecords, type ListedRecords, toRecords } from '../../../console/project/records.ts'
import { listRecords, PAGE_SIZE, viewerOf } from '../../../memory/records/list-records.ts'
import { STATUSES, type Status } from '../../../memory/records/record.ts'
import { explainSearch } from '../../../memory/search/explain.ts'
import { EVERY_WORKSPACE, MAX_WORDS_OFFSET } from '../../../memory/search/request.ts'
import { SCOPES, type Scope, visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces } from '../../../memory/workspaces/list-workspaces.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

/** The first page of a project: a list of its records, or a search. */
export function records(service: Service) {
  return new Elysia({ name: 'console/records' }).get('/console/projects/:project', page(service, showRecords))
}

async function showRecords(req: PageRequest, state: FormState): Promise<Response> {
  const place = await openMemory(req, 'read')
  const { project, path, caller, memory } = place
  const filters = readFilters(req.url.searchParams)
  const workspaces = await listWorkspaces(memory, visibleTo(caller))
  const shown = filters.words === '' ? await list(req, place, filters) : await search(req, place, filters)
  const known = { names: workspaces.workspaces.map(({ name }) => name), areMore: workspaces.more !== undefined }
  const body = toRecords({ path, filters, workspaces: known, shown })
  return toConsolePage(req, state, { title: 'Records', section: path, project, body })
}

function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  const [words, workspace, scope, status] = [text('words'), text('workspace'), text('scope'), text('status')]
  return { words, workspace, scope, status, fresh: query.has('fresh'), source: query.get('source') ?? '' }
}

async function search({ service, url }: PageRequest, { caller, path }: ProjectMemory, filters: Filters): Promise<FoundRecords> {
  const { words: query, workspace, scope, status, fresh } = filters
  const { scope: ofScope, status: ofStatus } = toSelection(filters)
  const narrowed = { exclude_stale: fresh, ...(ofStatus && { status: ofStatus }), ...(ofScope && { scope: ofScope }) }
  const place = { workspace: workspace || EVERY_WORKSPACE, offset: readOffset(url), limit: PAGE_SIZE }
  const { result, hint, next_offset: next } = await explainSearch(service, caller, { query, ...place, ...narrowed })
  const more = next === undefined ? undefined : { words: query, workspace, scope, status, fresh: fresh ? 'yes' : '', offset: String(next) }
  return { workspace, result, hint, more: more && toQueryPath(path, more) }
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
  const { workspace, source, scope, status, fresh } = filters
  const before = url.searchParams.get('before') ?? undefined
  const part = await listRecords(service, viewerOf(caller), {
    ...toSelection(filters),
    workspace: workspace || undefined,
    source_id: (workspace && source) || undefined,
    exclude_stale: fresh,
    before,
  })
  const shown = part.records.map(await prepareShown(part.records))
  const query = { workspace, source, scope, status, fresh: fresh ? 'yes' : '', before: part.older }
  return { records: shown, older: part.older && toQueryPath(path, query) }
}

/** The chosen scope and status; undefined for values that are none. */
function toSelection({ scope, status }: Filters): { scope: Scope | undefined; status: Status | undefined } {
  return { scope: SCOPES.find((one) => one === scope), status: STATUSES.find((one) => one === status) }
}
