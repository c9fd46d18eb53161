import { DAY_MS, toIsoTime } from '../../clock.ts'
import { listTrashIds } from '../../memory/records/bulk/bulk.ts'
import { listTrash, type TrashArguments, viewerOf } from '../../memory/records/lists/list-records.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import { findForgottenBy, nameForgetters } from '../../memory/records/trash/forgotten-by.ts'
import { visibleTo } from '../../memory/visibility.ts'
import { findWorkspaceIds } from '../../memory/workspaces/workspace.ts'
import type { Service } from '../../service.ts'
import type { StoredRecord } from '../../store/record.ts'
import { readFiltered } from '../form.ts'
import { type Filter, toChips, toFilterFold } from '../markup/filters.ts'
import { toButton, toHiddenFields } from '../markup/form.ts'
import { countOf, toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge, toCountedHeading } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { readQuery, toPageLink, toQueryPath } from '../paging.ts'
import { changeAll, RESTORE_ACT, toBulkBar } from './bulk.ts'
import { toRecordCard, toRecordList, toRestoreButton } from './record-card.ts'

/** The page of the forgotten records of a project. */
export const trash = pageOf(openForReading, {
  path: '/console/projects/:project/trash',
  show: showTrash,
  forms: { '/bulk': changeAll(listShownIds) },
})

/** Milliseconds until a record that was forgotten at this time is erased. */
export function timeLeft({ config, clock }: Pick<Service, 'config' | 'clock'>, forgottenAt: number): number {
  return forgottenAt + config.trashDays * DAY_MS - clock.now()
}

/** The filters, empty for none. `act` is the time of the act that forgot the records; `order` is `first` or empty. */
type Query = Record<'q' | 'workspace' | 'source' | 'who' | 'since' | 'until' | 'act' | 'order', string>

const readTrashQuery = (query: URLSearchParams): Query => ({
  ...readQuery(query, ['q', 'workspace', 'who', 'since', 'until', 'act', 'order']),
  // A source may begin or end with a space.
  source: query.get('source') ?? '',
})

const ORDERS = [
  { value: '', label: 'last forgotten first' },
  { value: 'first', label: 'erased soonest first' },
]

const toOrders = (at: string, query: Query): Html =>
  html`<nav class="periods" aria-label="Order">${ORDERS.map(
    ({ value, label }) =>
      html`<a href="${toQueryPath(at, { ...query, order: value })}"${value === query.order ? html` aria-current="true"` : undefined}>${label}</a>\n`,
  )}</nav>`

const toFilters = ({ workspace, source, who, since, until, act }: Query): Filter[] => [
  { name: 'workspace', label: 'Workspace', value: workspace, maxlength: 64 },
  { name: 'source', label: 'Source', value: source, maxlength: 512 },
  { name: 'who', label: 'Forgotten by', value: who, maxlength: 200 },
  { name: 'since', label: 'Forgotten since', chip: 'Since', type: 'date', value: since },
  { name: 'until', label: 'Forgotten until', chip: 'Until', type: 'date', value: until },
  ...(act === '' ? [] : [{ name: 'act', label: 'Act at (UTC)', chip: 'Act at', value: act, maxlength: 30 }]),
]

/** @throws Refusal that names the filter at fault. */
async function toArguments({ service, caller, memory }: MemoryRequest, query: Query): Promise<TrashArguments> {
  const { q, workspace, source, who, since, until, act, order } = query
  const at = act === '' ? undefined : readTime('act', act)
  const isBy = who === '' ? undefined : await findForgottenBy(service, viewerOf(caller), who)
  const words = q.toLowerCase().split(/\s+/)
  const hasWords = ({ content, factKey, sourceId }: StoredRecord) => {
    const text = [content, factKey, sourceId].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return {
    oldestFirst: order === 'first',
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

/** Records looked at for a page, which takes some 20 ms. */
const MAX_EXAMINED = 2_000

/** The forgotten records that can still be restored. */
async function showTrash(req: MemoryRequest): Promise<PageContent> {
  const { service, url, at, caller, memory } = req
  const query = readTrashQuery(url.searchParams)
  const filters = toFilters(query)
  const before = url.searchParams.get('before') ?? undefined
  const { found: args, refused } = await readFiltered(() => toArguments(req, query))
  const found = args && (await listTrash(service, viewerOf(caller), { ...args, before, examine: MAX_EXAMINED }))
  const isNarrowed = [query.q, ...filters.map(({ value }) => value)].some((value) => value !== '')
  const back = toQueryPath(at, { ...query, before })
  const empty = isNarrowed ? 'Nothing in the trash matches.' : 'The trash is empty.'
  const body = html`<h1>Trash</h1>
<p class="quiet">What is forgotten is kept for ${countOf(service.config.trashDays, 'day')},${query.order === '' ? ' last forgotten first,' : ''} and then erased for good. No search finds it.</p>
<form method="get" action="${at}" class="search" role="search">
<input id="q" name="q" type="search" value="${query.q}" maxlength="512" autocomplete="off" aria-label="Search the trash" placeholder="Words of a forgotten record">
<button class="main">Search</button>
${toFilterFold(filters)}${toHiddenFields(query.order === '' ? {} : { order: query.order })}
</form>
${toChips(at, filters, { q: query.q, order: query.order })}
<div class="heading">${toCountedHeading('Forgotten records', isNarrowed ? 0 : await memory.countForgotten(visibleTo(caller)))}${toOrders(at, query)}</div>
${found && (await toRecords(req, found.records, back, empty))}
${found?.isCut ? html`<p class="quiet">Many records were looked through; there may be more like that.</p>` : undefined}
${toPageLink(found?.older && toQueryPath(at, { ...query, before: found.older }), query.order === '' ? 'Older' : 'More')}
${
  found === undefined || found.records.length === 0
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

/** The records; those that one act forgot stand together below a button that restores all of them. */
async function toRecords(
  { service, caller, at, path, prepareShown }: MemoryRequest,
  records: StoredRecord[],
  back: string,
  empty: string,
): Promise<Html> {
  if (records.length === 0) return toRecordList([], empty)
  const toShown = await prepareShown(records)
  const whoForgot = await nameForgetters(service, viewerOf(caller), records)
  const toCard = (stored: StoredRecord) => {
    const record = toShown(stored)
    const forgottenAt = stored.forgottenAt ?? 0
    const who = whoForgot(stored)
    const by = who === undefined ? undefined : html` by <bdi>${who}</bdi>`
    return toRecordCard(path, record, {
      isChoosable: true,
      note: html`${toBadge(`${toDays(timeLeft(service, forgottenAt))} left`, 'warn')}<span>forgotten ${toTime(forgottenAt)}${by}</span>`,
      actions: [toRestoreButton({ path, back, id: record.id, about: record.fact_key }, { look: 'plain' })],
    })
  }
  const acts = [...Map.groupBy(records, ({ forgottenAt }) => forgottenAt ?? 0)]
  return html`${acts.map(([forgottenAt, ofAct]) => html`${ofAct.length === 1 ? undefined : toWholeAct(`${at}/bulk`, forgottenAt, back)}${toRecordList(ofAct.map(toCard))}\n`)}`
}

/** Restores what was forgotten at one moment, on further pages too. */
function toWholeAct(action: string, forgottenAt: number, back: string): Html {
  const filter = new URLSearchParams({ act: toIsoTime(forgottenAt) }).toString()
  const fields = { act: 'restore', all: 'yes', confirmed: 'yes', filter, back }
  return html`<div class="row"><small class="quiet">Forgotten in one act ${toTime(forgottenAt)}</small>${toButton(action, 'Restore all of this act', { fields })}</div>`
}
