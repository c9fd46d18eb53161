import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Filters, type FoundRecords, type ListedRecords, toRecords } from '../../../console/project/records.ts'
import { listRecords, viewerOf } from '../../../memory/records/list-records.ts'
import { STATUSES, type Status } from '../../../memory/records/record.ts'
import { explainSearch } from '../../../memory/search/explain.ts'
import { SCOPES, type Scope, visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces, type WorkspacePage } from '../../../memory/workspaces/list-workspaces.ts'
import { DEFAULT_WORKSPACE, isActive } from '../../../memory/workspaces/workspace.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

/** The largest limit that a search accepts. */
const MAX_RESULTS = 50

/** The first page of a project: a list of its records, or a search. */
export function records(service: Service) {
  return new Elysia({ name: 'console/records' }).get('/console/projects/:project', page(service, showRecords))
}

async function showRecords(req: PageRequest, state: FormState): Promise<Response> {
  const place = await openMemory(req, 'read')
  const { project, path, caller, memory } = place
  const filters = readFilters(req.url.searchParams)
  const workspaces = await listWorkspaces(memory, visibleTo(caller))
  const searched = filters.words === '' ? undefined : await workspaceFor(place, filters, workspaces)
  const shown = searched === undefined ? await list(req, place, filters) : await search(req, place, filters, searched)
  const known = { names: workspaces.workspaces.map(({ name }) => name), areMore: workspaces.more !== undefined }
  const body = toRecords({ path, filters, workspaces: known, shown })
  return toConsolePage(req, state, { title: 'Records', section: path, project, body })
}

function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  const [words, workspace, scope, status] = [text('words'), text('workspace'), text('scope'), text('status')]
  return { words, workspace, scope, status, fresh: query.has('fresh'), source: query.get('source') ?? '' }
}

/** The workspace to search: the chosen one, the default one, or the first; undefined where there is none. */
async function workspaceFor({ memory, caller }: ProjectMemory, { workspace }: Filters, page: WorkspacePage): Promise<string | undefined> {
  if (workspace !== '') return workspace
  return (await isActive(memory, visibleTo(caller), DEFAULT_WORKSPACE)) ? DEFAULT_WORKSPACE : page.workspaces[0]?.name
}

async function search({ service }: PageRequest, { caller }: ProjectMemory, filters: Filters, workspace: string): Promise<FoundRecords> {
  const { words: query, fresh } = filters
  const { scope, status } = toSelection(filters)
  const asked = { query, workspace, limit: MAX_RESULTS, exclude_stale: fresh, ...(status && { status }), ...(scope && { scope }) }
  const { result, hint } = await explainSearch(service, caller, asked)
  return { workspace, result, hint }
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
