import { Elysia } from 'elysia'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type SourceFilters, toSources } from '../../../console/project/sources.ts'
import { Refusal } from '../../../errors.ts'
import { viewerOf } from '../../../memory/records/lists/list-records.ts'
import { forgetRecords } from '../../../memory/records/trash/forget.ts'
import { listSources, type SourceList } from '../../../memory/sources/list-sources.ts'
import { visibleTo } from '../../../memory/visibility.ts'
import { listWorkspaces } from '../../../memory/workspaces/list-workspaces.ts'
import type { Service } from '../../../service.ts'
import { readReturnPath } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

const PATH = '/console/projects/:project/sources'

/** The page of the sources of a project's records. */
export function sources(service: Service) {
  return new Elysia({ name: 'console/sources' })
    .get(PATH, page(service, showSources))
    .post(`${PATH}/forget`, action(service, forget, showSources), { parse: 'none' })
}

async function showSources(req: PageRequest, state: FormState): Promise<Response> {
  const place = await openMemory(req, 'read')
  const { project, path, caller, memory } = place
  const section = `${path}/sources`
  const query = req.url.searchParams
  const read = (name: string) => query.get(name)?.trim() ?? ''
  const filters = { text: read('q'), workspace: read('workspace') }
  const { names, more: areMore } = toNames(await listWorkspaces(memory, visibleTo(caller)))
  const { found, refused } = await readSources(req, place, filters)
  const { more } = found
  const body = toSources({
    path,
    back: toQueryPath(section, { q: filters.text, workspace: filters.workspace, after: read('after'), in: read('in') }),
    filters,
    workspaces: { names, areMore },
    listed: refused === undefined ? found.sources : undefined,
    more: more && toQueryPath(section, { q: filters.text, workspace: filters.workspace, after: more.sourceId, in: more.workspace }),
    trashDays: req.service.config.trashDays,
  })
  return toConsolePage(req, state.error === undefined ? (refused ?? {}) : state, { title: 'Sources', section, project, body })
}

const toNames = ({ workspaces, more }: Awaited<ReturnType<typeof listWorkspaces>>) => ({
  names: workspaces.map(({ name }) => name),
  more: more !== undefined,
})

const NOTHING: SourceList = { sources: [], more: undefined }

/** The sources that match the filters; if these were refused, nothing and the reason. */
async function readSources({ service, url }: PageRequest, { caller }: ProjectMemory, { text, workspace }: SourceFilters) {
  const [after, within] = [url.searchParams.get('after'), url.searchParams.get('in')]
  const args = {
    ...(text !== '' && { text }),
    ...(workspace !== '' && { workspace }),
    ...(after !== null && within !== null && { after: { sourceId: after, workspace: within } }),
  }
  try {
    return { found: await listSources(service, viewerOf(caller), args), refused: undefined }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { found: NOTHING, refused: { error: error.message, field: error.field } }
  }
}

async function forget(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor } = req
  const { project, path } = await toProjectRequest(req)
  const { forgotten } = await forgetRecords(service, actor, {
    projectId: project.id,
    source_id: form.get('source') ?? '',
    workspace: form.get('workspace') ?? '',
    stale: form.get('stale') === 'yes',
  })
  return redirect(readReturnPath(form, `${path}/sources`, `${path}/sources`), 'records.forgotten', { query: { n: forgotten } })
}
