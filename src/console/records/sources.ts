import { viewerOf } from '../../memory/records/lists/list-records.ts'
import { MAX_COUNTED_TO_REVIEW } from '../../memory/records/lists/review-count.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import { type ListedSource, listSources } from '../../memory/sources/list-sources.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/list-workspaces.ts'
import { readFiltered, readReturnPath } from '../form.ts'
import { toShareBar } from '../markup/chart.ts'
import { toChips, toFilterFold } from '../markup/filters.ts'
import { toConfirmButton } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, toTable } from '../markup/table.ts'
import {
  type Answer,
  type MemoryRequest,
  opened,
  openForReading,
  openProject,
  type Page,
  type PageContent,
  type ProjectRequest,
} from '../page.ts'
import { readQuery, toPageLink, toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { toWorkspaceFilter } from './record-filters.ts'

/** The page of the sources of a project's records. */
export const sources: Page = {
  path: '/console/projects/:project/sources',
  show: opened(openForReading, showSources),
  forms: { '/forget': opened(openProject, forget) },
}

async function forget({ service, actor, project, at }: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const { forgotten } = await forgetRecords(service, actor, {
    projectId: project.id,
    source_id: form.get('source') ?? '',
    workspace: form.get('workspace') ?? '',
    stale: form.get('stale') === 'yes',
  })
  return redirect(readReturnPath(form, at, at), 'records.forgotten', { query: { n: forgotten } })
}

/** A number that is counted only up to 100. */
export const toCountedTo = (count: number): string =>
  count >= MAX_COUNTED_TO_REVIEW ? `${MAX_COUNTED_TO_REVIEW - 1}+` : String(count)

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

const COLUMNS = [long('Source'), numeric('Records'), 'Fresh and stale', 'Last hash', 'Last save', ACTIONS]

/** The sources of a project's records, and the freshness of these records. */
async function showSources(req: MemoryRequest): Promise<PageContent> {
  const { service, url, at, caller, memory } = req
  const query = readQuery(url.searchParams, ['q', 'workspace', 'after', 'in'])
  const workspace = toWorkspaceFilter(query.workspace, await listWorkspaces(memory, visibleTo(caller)))
  const filters = [{ name: 'q', label: 'Name', value: query.q }, workspace]
  const { found, refused } = await readFiltered(() => listSources(service, viewerOf(caller), toArguments(url)))
  const back = toQueryPath(at, query)
  const rows = found?.sources.map((source) => toRow(req.path, back, source, service.config.trashDays))
  const more = found?.more && toQueryPath(at, { ...query, after: found.more.sourceId, in: found.more.workspace })
  const isNarrowed = filters.some(({ value }) => value !== '')
  const body = html`<h1>Sources</h1>
<p class="quiet">Where records come from. Those saved under another hash than the last one of their source are stale, as are superseded and expired ones.</p>
<form method="get" action="${at}" class="search" role="search">
<input id="q" name="q" type="search" value="${query.q}" maxlength="512" autocomplete="off" aria-label="Search sources" placeholder="A part of the source">
<button class="main">Search</button>
${toFilterFold([workspace])}
</form>
${toChips(at, filters)}
${rows && toTable('Sources', COLUMNS, rows, isNarrowed ? 'No such source.' : 'No record has a source yet.')}
${toPageLink(more, 'More')}`
  return { title: 'Sources', body, refused }
}

/** The filters as arguments; the page begins after a source, whose name may begin or end with a space. */
function toArguments({ searchParams }: URL) {
  const { q: text, workspace } = readQuery(searchParams, ['q', 'workspace'])
  const [after, within] = [searchParams.get('after'), searchParams.get('in')]
  return {
    ...(text !== '' && { text }),
    ...(workspace !== '' && { workspace }),
    ...(after !== null && within !== null && { after: { sourceId: after, workspace: within } }),
  }
}

/** Number of characters of a hash in a list. */
const SHOWN_HASH = 12

function toRow(path: string, back: string, source: ListedSource, trashDays: number) {
  const { sourceId, workspace, records, stale, hash, savedAt } = source
  const forget = (label: string, count: number, fields: Record<string, string>) =>
    toConfirmButton(`${path}/sources/forget`, label, toEffect(count, trashDays), {
      fields: { source: sourceId, workspace, back, ...fields },
      about: sourceId,
    })
  return [
    html`<a href="${toSourcePath(path, source)}"><bdi>${sourceId}</bdi></a><small class="under"><bdi>${workspace}</bdi></small>`,
    toCount(records),
    toSourceBar(source),
    hash === undefined ? '–' : html`<code title="${hash}">${hash.slice(0, SHOWN_HASH)}</code>`,
    toTime(savedAt),
    html`${stale === 0 || stale === records ? undefined : forget('Forget stale', stale, { stale: 'yes' })}${forget('Forget all', records, {})}`,
  ]
}

const toEffect = (count: number, trashDays: number) =>
  count === 1
    ? `One record is forgotten, and what it superseded becomes current again. The trash keeps it for ${countOf(trashDays, 'day')}.`
    : `The ${toCount(count)} records that you see are forgotten, and what they superseded becomes current again. The trash keeps them for ${countOf(trashDays, 'day')}.`
