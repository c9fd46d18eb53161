import { listSourceIds } from '../../memory/records/bulk/bulk.ts'
import { viewerOf } from '../../memory/records/lists/list-records.ts'
import { MAX_COUNTED_TO_REVIEW } from '../../memory/records/lists/review-count.ts'
import { type ListedSource, listSources } from '../../memory/sources/list-sources.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { listWorkspaces } from '../../memory/workspaces/list-workspaces.ts'
import { readFiltered } from '../form.ts'
import { toShareBar } from '../markup/chart.ts'
import { toChips, toFilterFold } from '../markup/filters.ts'
import { toHiddenFields } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long, numeric, toTable } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { readQuery, toPageLink, toQueryPath } from '../paging.ts'
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
  const act = (label: string, effect: string, chosen: SourceAct) =>
    toSourceAct(`${path}/sources/bulk`, {
      label,
      effect,
      source,
      fields: { back, ...chosen.fields },
      more: chosen.more,
    })
  const forget = (label: string, count: number, fields: Record<string, string>) =>
    act(label, toEffect(count, trashDays), { fields: { act: 'forget', ...fields } })
  return [
    html`<a href="${toSourcePath(path, source)}"><bdi>${sourceId}</bdi></a><small class="under"><bdi>${workspace}</bdi></small>`,
    toCount(records),
    toSourceBar(source),
    hash === undefined ? '–' : html`<code title="${hash}">${hash.slice(0, SHOWN_HASH)}</code>`,
    toTime(savedAt),
    html`${stale === 0 || stale === records ? undefined : forget('Forget stale', stale, { stale: 'yes' })}${forget('Forget all', records, {})}${act('Move', MOVE_EFFECT, { fields: { act: 'move' }, more: MOVE_FIELD })}`,
  ]
}

type SourceAct = { fields: Record<string, string>; more?: Html }

const MOVE_EFFECT =
  'Assistants that search another workspace alone no longer find them. In the new one the rules of their fact keys hold.'
const MOVE_FIELD = html`<input name="to" maxlength="64" required autocomplete="off" placeholder="Workspace" aria-label="Workspace to move to">`

type SourceForm = {
  label: string
  effect: string
  source: ListedSource
  fields: Record<string, string>
  more?: Html | undefined
}

/** An act on the records of a source, in two steps: the first click shows the effect, and the button that does it. */
function toSourceAct(action: string, { label, effect, source, fields, more }: SourceForm): Html {
  const { sourceId, workspace } = source
  const hidden = { source: sourceId, workspace, all: 'yes', confirmed: 'yes', ...fields }
  return html`<details class="confirm"><summary aria-label="${label}: ${sourceId}">${label} …</summary>
<p>${effect}</p>
<form method="post" action="${action}">${toHiddenFields(hidden)}${more}
<label class="tick"><input type="checkbox" name="everywhere" value="yes"> in all workspaces</label>
<button class="${fields.act === 'move' ? 'main' : 'danger'} small" aria-label="${label}: ${sourceId}">${label}</button></form>
</details>`
}

const toEffect = (count: number, trashDays: number) =>
  count === 1
    ? `One record is forgotten, and what it superseded becomes current again. The trash keeps it for ${countOf(trashDays, 'day')}.`
    : `The ${toCount(count)} records that you see are forgotten, and what they superseded becomes current again. The trash keeps them for ${countOf(trashDays, 'day')}.`
