import { listSourceIds } from '../../memory/records/bulk/list-ids.ts'
import { viewerOf } from '../../memory/records/lists/list-records.ts'
import {
  countSources,
  type ListedSource,
  listSources,
  type SortableSource,
  selectSources,
  toListed,
} from '../../memory/sources/list-sources.ts'
import { authorizeMemory, visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/workspace.ts'
import { readFiltered } from '../form.ts'
import { toShareBar } from '../markup/chart.ts'
import { FORM_ID, toButton, toHiddenFields } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, toChips, toCountedTitle, toFilterFold } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { readQuery, toQueryPath } from '../paging.ts'
import { findSort, readSort, type SortColumn, type SortedColumn, sortPage, toSortedTable } from '../sorted-table.ts'
import { changeAll } from './bulk.ts'
import { toWorkspaceFilter } from './record-filters.ts'

/** The page of the sources of a project's records. */
export const sources = pageOf(openForReading, {
  path: '/console/projects/:project/sources',
  show: showSources,
  forms: { '/bulk': changeAll(listIds, (form) => form.get('source') ?? '') },
})

/** The records of the source that the form names, in the workspace that it names or in all. */
function listIds({ service, caller }: MemoryRequest, form: URLSearchParams): Promise<string[]> {
  return listSourceIds(service, viewerOf(caller), {
    sourceId: form.get('source') ?? '',
    workspace: form.get('everywhere') === 'yes' ? undefined : (form.get('workspace') ?? ''),
    stale: form.get('stale') === 'yes',
  })
}

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

/** The sources of a project's records, and the freshness of these records. */
async function showSources(req: MemoryRequest): Promise<PageContent> {
  const { service, url, at, caller, actor, project, memory } = req
  const query = readQuery(url.searchParams, ['q', 'workspace'])
  const workspace = toWorkspaceFilter(query.workspace, await listWorkspaces(memory, visibleTo(caller)))
  const filters = [{ name: 'q', label: 'Name', value: query.q }, workspace]
  const columns = toColumns(req)
  const isSorted = findSort(req, columns) !== undefined
  const counted = await countSources(service, await authorizeMemory(service, actor, project.id, 'read'), isSorted)
  const { found, refused } = await readFiltered(() =>
    readPage(req, columns, query, isSorted ? counted?.sources : undefined),
  )
  const isNarrowed = filters.some(({ value }) => value !== '')
  const empty = isNarrowed ? 'No such source.' : 'No record has a source yet.'
  const sort = isSorted ? readSort(url) : ''
  const body = html`${toCountedTitle('Sources', isNarrowed ? undefined : counted?.count)}
<p class="quiet">Where records come from. A record is stale if its source has a newer hash, or if it is superseded or expired. Forgetting can be undone for ten minutes, and forgotten records restored from the trash for ${countOf(service.config.trashDays, 'day')}.</p>
<form method="get" action="${at}" class="search" role="search">${toHiddenFields(sort === '' ? {} : { sort })}
<input id="q" name="q" type="search" value="${query.q}" maxlength="512" autocomplete="off" aria-label="Search sources" placeholder="A part of the source">
<button class="main">Search</button>
${toFilterFold([workspace])}
</form>
${toChips(at, filters, { sort })}
${found && toSortedTable(req, { caption: 'Sources', columns, ...found, query, empty })}
${sort === '' ? undefined : toSortNote(counted)}`
  return { title: 'Sources', body, refused }
}

/** Says what the order of a list lacks. */
function toSortNote(counted: Awaited<ReturnType<typeof countSources>>): Html | undefined {
  if (counted === undefined)
    return html`<p class="quiet">The sources are being counted. Sort them again in a moment.</p>`
  const { sources, count } = counted
  if (count <= sources.length) return undefined
  return html`<p class="quiet">Of ${toCount(count)} sources, the ${toCount(sources.length)} with the most records are sorted.</p>`
}

/** A page of sources: by workspace and name, or sorted as the address says once they are counted. */
async function readPage(
  req: MemoryRequest,
  columns: SourceColumn[],
  query: Record<'q' | 'workspace', string>,
  counted: SortableSource[] | undefined,
) {
  const { service, url, at, caller, memory } = req
  const args = toArguments(url, query)
  if (counted === undefined) {
    const { sources, more } = await listSources(service, viewerOf(caller), args)
    return { rows: sources, more: more && toQueryPath(at, { ...query, after: more.sourceId, in: more.workspace }) }
  }
  const visible = visibleTo(caller)
  const { rows, more } = sortPage(req, columns, await selectSources(memory, visible, counted, args), query)
  return { rows: await toListed(memory, visible, rows, service.clock.now()), more }
}

/** The filters as arguments; the page begins after a source, whose name may begin or end with a space. */
function toArguments({ searchParams }: URL, { q: text, workspace }: Record<'q' | 'workspace', string>) {
  const [after, within] = [searchParams.get('after'), searchParams.get('in')]
  return {
    ...(text !== '' && { text }),
    ...(workspace !== '' && { workspace }),
    ...(after !== null && within !== null && { after: { sourceId: after, workspace: within } }),
  }
}

/** Number of characters of a hash in a list. */
const SHOWN_HASH = 12

type SourceColumn = SortColumn<SortableSource> & Pick<SortedColumn<ListedSource>, 'cell'>

function toColumns({ at, path, url }: MemoryRequest): SourceColumn[] {
  const back = toQueryPath(at, {
    ...readQuery(url.searchParams, ['q', 'workspace', 'after', 'in', 'page']),
    sort: readSort(url),
  })
  return [
    {
      head: long('Source'),
      cell: (source) =>
        html`<a href="${toSourcePath(path, source)}"><bdi>${source.sourceId}</bdi></a><small class="under"><bdi>${source.workspace}</bdi></small>`,
      by: ({ sourceId }) => sourceId,
      isText: true,
    },
    { head: numeric('Records'), cell: ({ records }) => toCount(records), by: ({ records }) => records },
    { head: 'Fresh and stale', cell: toSourceBar, by: ({ stale }) => stale },
    { head: 'Last hash', cell: ({ hash }) => toHash(hash) },
    { head: 'Last save', cell: ({ savedAt }) => toTime(savedAt), by: ({ savedAt }) => savedAt },
    { head: ACTIONS, cell: (source) => toActs(`${path}/sources/bulk`, back, source) },
  ]
}

const toHash = (hash: string | undefined) =>
  hash === undefined ? '–' : html`<code title="${hash}">${hash.slice(0, SHOWN_HASH)}</code>`

/** The forms of what can be done with a source's records. */
function toActs(action: string, back: string, { sourceId, workspace, records, stale }: ListedSource): Html {
  const chosen = { source: sourceId, workspace, all: 'yes', confirmed: 'yes', back }
  // Without a question: the message after it undoes it.
  const forget = (label: string, fields: Record<string, string> = {}) =>
    toButton(action, label, { fields: { ...chosen, act: 'forget', ...fields }, look: 'danger', about: sourceId })
  return html`${stale === 0 || stale === records ? undefined : forget('Forget stale', { stale: 'yes' })}${forget('Forget all')}${toMore(action, sourceId, chosen)}`
}

const MOVE_EFFECT =
  'Assistants that search only another workspace no longer find what is moved. In the new one, records may supersede others of their fact keys, or be superseded.'

/** Moving the records of a source, and acts on its records of all workspaces. */
function toMore(action: string, sourceId: string, chosen: Record<string, string>): Html {
  return html`<details class="confirm"><summary aria-label="More … to move, or in all workspaces: ${sourceId}">More …</summary>
<form method="post" action="${action}">${FORM_ID}${toHiddenFields(chosen)}
<label class="tick"><input type="checkbox" name="everywhere" value="yes"> in all workspaces</label>
<span class="joined"><input name="to" maxlength="64" required autocomplete="off" placeholder="Workspace" aria-label="Workspace to move to"><button class="main small" name="act" value="move" aria-label="Move: ${sourceId}">Move</button></span>
<button class="danger small" name="act" value="forget" formnovalidate aria-label="Forget all of: ${sourceId}">Forget all</button></form>
<p>${MOVE_EFFECT}</p>
</details>`
}
