import { listTrashIds } from '../../memory/records/bulk/list-ids.ts'
import { collectTrash, listTrash, type TrashArguments, viewerOf } from '../../memory/records/lists/list-records.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import { findForgottenBy, nameForgetters } from '../../memory/records/trash/forgotten-by.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { findWorkspaceIds } from '../../memory/workspaces/workspace.ts'
import type { StoredRecord } from '../../store/record.ts'
import { readFiltered } from '../form.ts'
import { toHiddenFields } from '../markup/form.ts'
import { countOf, toCount } from '../markup/format.ts'
import { html } from '../markup/html.ts'
import { type Filter, toChips, toCountedHeading, toDayFilters, toFilterFold } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { readQuery, toQueryPath } from '../paging.ts'
import { findSort, sortPage, toSortedTable } from '../sorted-table.ts'
import { changeAll } from './bulk.ts'
import { RESTORE_ACT, toBulkBar } from './bulk-bar.ts'
import { type Row, type TrashColumn, toSortable, toTrashColumns } from './trash-table.ts'

/** The page of the forgotten records of a project. */
export const trash = pageOf(openForReading, {
  path: '/console/projects/:project/trash',
  show: showTrash,
  forms: { '/bulk': changeAll(listShownIds) },
})

/** The filters, empty for none, and the order. `act` is the time of the act that forgot the records. */
type Query = Record<'q' | 'workspace' | 'source' | 'who' | 'since' | 'until' | 'act' | 'sort', string>

const readTrashQuery = (query: URLSearchParams): Query =>
  readQuery(query, ['q', 'workspace', 'who', 'since', 'until', 'act', 'sort', 'source'])

const toFilters = ({ workspace, source, who, act, ...days }: Query): Filter[] => [
  { name: 'workspace', label: 'Workspace', value: workspace, maxlength: 64 },
  { name: 'source', label: 'Source', value: source, maxlength: 512 },
  { name: 'who', label: 'Forgotten by', value: who, maxlength: 200 },
  ...toDayFilters(days, 'Forgotten'),
  ...(act === '' ? [] : [{ name: 'act', label: 'Act at (UTC)', chip: 'Act at', value: act, maxlength: 30 }]),
]

/** @throws Refusal that names the filter at fault. */
async function toArguments({ service, caller, memory }: MemoryRequest, query: Query): Promise<TrashArguments> {
  const { q, workspace, source, who, since, until, act, sort } = query
  const at = act === '' ? undefined : readTime('act', act)
  const isBy = who === '' ? undefined : await findForgottenBy(service, viewerOf(caller), who)
  const words = q.toLowerCase().split(/\s+/)
  const hasWords = ({ content, factKey, sourceId }: StoredRecord) => {
    const text = [content, factKey, sourceId].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return {
    oldestFirst: sort === OLDEST_FIRST,
    ...(workspace !== '' && { workspaceIds: await findWorkspaceIds(memory, visibleTo(caller), workspace) }),
    ...(source !== '' && { sourceId: source }),
    from: at ?? (since === '' ? undefined : readTime('since', since)),
    until: at ?? (until === '' ? undefined : readEnd('until', until)),
    passes: (record) => hasWords(record) && (isBy?.(record) ?? true),
  }
}

async function listShownIds(req: MemoryRequest, form: URLSearchParams): Promise<string[]> {
  const query = readTrashQuery(new URLSearchParams(form.get('filter') ?? ''))
  return listTrashIds(req.service, viewerOf(req.caller), await toArguments(req, query))
}

/** Records looked at for a page, or to sort them, which takes some 20 ms. */
const MAX_EXAMINED = 2_000

/** The forgotten records that can still be restored. */
async function showTrash(req: MemoryRequest): Promise<PageContent> {
  const { service, url, at, caller, memory } = req
  const query = readTrashQuery(url.searchParams)
  const filters = toFilters(query)
  const back = toQueryPath(at, { ...query, ...readQuery(url.searchParams, ['before', 'page']) })
  const columns = toTrashColumns(req, back)
  const { found: args, refused } = await readFiltered(() => toArguments(req, query))
  const found = args && (await readPage(req, columns, query, args))
  const isNarrowed = [query.q, ...filters.map(({ value }) => value)].some((value) => value !== '')
  const isCut = found?.note === CUT
  const empty = isCut
    ? 'No such record among the newest.'
    : isNarrowed
      ? 'No such record in the trash.'
      : 'The trash is empty.'
  const order = query.sort === '' ? {} : { sort: query.sort }
  const body = html`<h1>Trash</h1>
<p class="quiet">Forgotten records are kept for ${countOf(service.config.trashDays, 'day')}, and then erased for good. No search finds them.</p>
<form method="get" action="${at}" class="search" role="search">
<input id="q" name="q" type="search" value="${query.q}" maxlength="512" autocomplete="off" aria-label="Search the trash" placeholder="Words of a forgotten record">
<button class="main">Search</button>
${toFilterFold(filters)}${toHiddenFields(order)}
</form>
${toChips(at, filters, { q: query.q, ...order })}
${toCountedHeading('Forgotten records', isNarrowed ? 0 : await memory.countForgotten(visibleTo(caller)))}
${found && toSortedTable(req, { caption: 'Forgotten records', columns, ...found, query, empty })}
${found?.note}
${
  found === undefined || found.rows.length === 0
    ? undefined
    : toBulkBar({
        action: `${at}/bulk`,
        fields: { filter: new URLSearchParams(query).toString(), back },
        all: isNarrowed ? 'All of this list' : 'All of the trash',
        acts: RESTORE_ACT,
      })
}`
  return { title: 'Trash', body, refused }
}

/** The orders by the column `Forgotten`; without one, it is the second. */
const OLDEST_FIRST = 'forgotten'
const BY_TIME = [OLDEST_FIRST, '-forgotten']
const BY_WHO = 'forgotten-by'

/** A page ordered by time, through the store's index, or by another column among the records forgotten last. */
async function readPage(req: MemoryRequest, columns: TrashColumn[], query: Query, args: TrashArguments) {
  const { service, url, at, caller, memory } = req
  const viewer = viewerOf(caller)
  if (findSort(req, columns) === undefined || BY_TIME.includes(query.sort)) {
    const before = url.searchParams.get('before') ?? undefined
    const { records, older, isCut } = await listTrash(service, viewer, { ...args, before, examine: MAX_EXAMINED })
    const more = older && toQueryPath(at, { ...query, before: older })
    return { rows: await toRows(req, records), more, note: isCut ? CUT : undefined }
  }
  const { kept, isCut } = await collectTrash(service, viewer, { ...args, examine: MAX_EXAMINED }, toSortable)
  const whoForgot = query.sort.endsWith(BY_WHO) ? await nameForgetters(service, viewer, kept) : undefined
  const named = kept.map((row) => ({ ...row, who: whoForgot?.(row).who }))
  const { rows, more } = sortPage(req, columns, named, query)
  const found = await Promise.all(rows.map(({ id }) => memory.findRecord(viewer.visible, id, { forgotten: true })))
  const records = found.filter((record) => record !== undefined)
  return { rows: await toRows(req, records), more, note: isCut ? CUT_SORT : undefined }
}

const CUT = html`<p class="quiet">Only the newest were searched; <em>More</em> goes on.</p>`
const CUT_SORT = html`<p class="quiet">Only the ${toCount(MAX_EXAMINED)} records forgotten last are sorted. To sort earlier ones, set the filter <em>Forgotten until</em>.</p>`

async function toRows({ service, caller, prepareShown }: MemoryRequest, records: StoredRecord[]): Promise<Row[]> {
  const toShown = await prepareShown(records)
  const whoForgot = await nameForgetters(service, viewerOf(caller), records)
  const ofMany = records.filter((record) => !whoForgot(record).isAlone)
  const acts = Map.groupBy(ofMany, ({ forgottenAt }) => forgottenAt)
  return records.map((stored) => {
    const ofAct = acts.get(stored.forgottenAt) ?? []
    const { who } = whoForgot(stored)
    return { ...toSortable(stored), record: toShown(stored), who, ofAct: ofAct[0] === stored ? ofAct.length : 0 }
  })
}
