import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Filters, type FoundRecords, type ListedRecords, toRecords } from '../../../console/project/records.ts'
import { listRecords } from '../../../memory/records/list-records.ts'
import type { Scope, Status } from '../../../memory/records/record.ts'
import { explainSearch } from '../../../memory/search/explain.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces, type WorkspacePage } from '../../../memory/workspaces/list-workspaces.ts'
import { DEFAULT_WORKSPACE, isActive } from '../../../memory/workspaces/workspace.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

/** Most records that words find: what one search answers with at most. */
const MAX_RESULTS = 50

/** The first page of a project: its records. */
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

/** Words are looked for in one workspace; undefined where there is none at all. */
async function workspaceFor({ memory, caller }: ProjectMemory, { workspace }: Filters, page: WorkspacePage): Promise<string | undefined> {
  if (workspace !== '') return workspace
  return (await isActive(memory, visibleTo(caller), DEFAULT_WORKSPACE)) ? DEFAULT_WORKSPACE : page.workspaces[0]?.name
}

async function search({ service }: PageRequest, { caller }: ProjectMemory, filters: Filters, workspace: string): Promise<FoundRecords> {
  const { words: query, fresh } = filters
  const { scope, status } = toNarrowed(filters)
  const asked = { query, workspace, limit: MAX_RESULTS, exclude_stale: fresh, status, ...(scope && { scope }) }
  const { result, hint } = await explainSearch(service, caller, asked)
  return { workspace, result, hint }
}

async function list({ service, url }: PageRequest, { caller, path, toShown }: ProjectMemory, filters: Filters): Promise<ListedRecords> {
  const { workspace, source, scope, status, fresh } = filters
  const before = url.searchParams.get('before') ?? undefined
  const part = await listRecords(service, caller, {
    ...toNarrowed(filters),
    workspace: workspace || undefined,
    source: source || undefined,
    before,
  })
  const shown = await Promise.all(part.records.map(toShown))
  const wanted = fresh ? shown.filter(({ stale }) => !stale) : shown
  const query = { workspace, source, scope, status, fresh: fresh ? 'yes' : '', before: part.older }
  return { records: wanted, older: part.older && toQueryPath(path, query), leftOut: shown.length - wanted.length }
}

/** What is chosen, where it is one of the choices. */
function toNarrowed({ scope, status }: Filters): { scope: Scope | undefined; status: Status | undefined } {
  return { scope: SCOPES.find((one) => one === scope), status: STATUSES.find((one) => one === status) }
}

const SCOPES: Scope[] = ['shared', 'department', 'draft']
const STATUSES: Status[] = ['unverified', 'verified', 'superseded']
