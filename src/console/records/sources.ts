import { Refusal } from '../../errors.ts'
import { viewerOf } from '../../memory/records/lists/list-records.ts'
import { MAX_COUNTED_TO_REVIEW } from '../../memory/records/lists/review-count.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import { type ListedSource, listSources, type SourceList } from '../../memory/sources/list-sources.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/list-workspaces.ts'
import { readReturnPath } from '../form.ts'
import { toShareBar } from '../markup/chart.ts'
import { toConfirmButton, toFilterFold } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toTable } from '../markup/table.ts'
import type { Page } from '../page.ts'
import { toMoreLink, toQueryPath } from '../paging.ts'
import { type FormState, openMemory, type PageRequest, type ProjectMemory, toConsolePage, toProjectRequest } from '../request.ts'
import { redirect } from '../response.ts'
import { type Chip, type KnownWorkspaces, toChipList, toWorkspaceField } from './record-filters.ts'

/** The page of the sources of a project's records. */
export const sources: Page = { path: '/console/projects/:project/sources', show: showSources, forms: { '/forget': forget } }

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

/** A number that is counted only up to 100. */
export const toCountedTo = (count: number): string => (count >= MAX_COUNTED_TO_REVIEW ? `${MAX_COUNTED_TO_REVIEW - 1}+` : String(count))

/** The path of the list of a source's records. */
export const toSourcePath = (path: string, { workspace, sourceId }: ListedSource): string =>
  toQueryPath(`${path}/records`, { workspace, source: sourceId })

/** The number of fresh and stale records of a source, as text and as a bar. */
export function toSourceBar({ records, stale }: ListedSource): Html {
  const bar = toShareBar([
    { value: records - stale, look: 'accent' },
    { value: stale, look: 'stale' },
  ])
  return html`<small>${toCount(records - stale)} fresh, ${toCount(stale)} stale</small>${bar}`
}

/** The filter values: a part of the name, and a workspace; empty for none. */
export type SourceFilters = { text: string; workspace: string }

type SourcesPage = {
  /** The path of the project. */
  path: string
  /** The path of this page with its query, to which its actions return. */
  back: string
  filters: SourceFilters
  workspaces: KnownWorkspaces
  /** The sources; undefined if the filters were refused. */
  listed: ListedSource[] | undefined
  more: string | undefined
  trashDays: number
}

const COLUMNS: Column[] = [
  { label: 'Source', look: 'long' },
  { label: 'Records', look: 'number' },
  { label: 'Fresh and stale' },
  { label: 'Last hash' },
  { label: 'Last save' },
  ACTIONS_COLUMN,
]

/** Number of characters of a hash in a list. */
const SHOWN_HASH = 12

/** The sources of a project's records, and the freshness of these records. */
export function toSources({ path, back, filters, workspaces, listed, more, trashDays }: SourcesPage): Html {
  const at = `${path}/sources`
  const rows = listed?.map((source) => toRow(path, back, source, trashDays))
  const isNarrowed = filters.text !== '' || filters.workspace !== ''
  return html`<h1>Sources</h1>
<p class="quiet">Where records come from. Those saved under another hash than the last one of their source are stale, as are superseded and expired ones.</p>
<form method="get" action="${at}" class="search" role="search">
<input id="q" name="q" type="search" value="${filters.text}" maxlength="512" autocomplete="off" aria-label="Search sources" placeholder="A part of the source">
<button class="main">Search</button>
${toFilterFold(['workspace'], toWorkspaceField(filters.workspace, workspaces))}
</form>
${toChipList(toChips(at, filters), at)}
${rows && toTable('Sources', COLUMNS, rows, isNarrowed ? 'No such source.' : 'No record has a source yet.')}
${toMoreLink(more)}`
}

function toChips(at: string, { text, workspace }: SourceFilters): Chip[] {
  return [
    ...(text === '' ? [] : [{ label: 'Name', text, without: toQueryPath(at, { workspace }) }]),
    ...(workspace === '' ? [] : [{ label: 'Workspace', text: workspace, without: toQueryPath(at, { q: text }) }]),
  ]
}

function toRow(path: string, back: string, source: ListedSource, trashDays: number): Html[] {
  const { sourceId, workspace, records, stale, hash, savedAt } = source
  const forget = (label: string, count: number, fields: Record<string, string>) =>
    toConfirmButton(`${path}/sources/forget`, label, toEffect(count, trashDays), {
      fields: { source: sourceId, workspace, back, ...fields },
      about: sourceId,
    })
  return [
    html`<a href="${toSourcePath(path, source)}"><bdi>${sourceId}</bdi></a><small class="under"><bdi>${workspace}</bdi></small>`,
    html`${toCount(records)}`,
    toSourceBar(source),
    hash === undefined ? html`–` : html`<code title="${hash}">${hash.slice(0, SHOWN_HASH)}</code>`,
    toTime(savedAt),
    html`${stale === 0 || stale === records ? undefined : forget('Forget stale', stale, { stale: 'yes' })}${forget('Forget all', records, {})}`,
  ]
}

const toEffect = (count: number, trashDays: number) =>
  count === 1
    ? `One record is forgotten, and what it superseded becomes current again. The trash keeps it for ${countOf(trashDays, 'day')}.`
    : `The ${toCount(count)} records that you see are forgotten, and what they superseded becomes current again. The trash keeps them for ${countOf(trashDays, 'day')}.`
