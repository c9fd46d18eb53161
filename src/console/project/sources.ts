import { MAX_COUNTED_TO_REVIEW } from '../../memory/records/lists/review-count.ts'
import type { ListedSource } from '../../memory/sources/list-sources.ts'
import { toShareBar } from '../markup/chart.ts'
import { toConfirmButton, toFilterFold } from '../markup/form.ts'
import { countOf, toCount, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink, toQueryPath } from '../markup/paging.ts'
import { ACTIONS_COLUMN, type Column, toTable } from '../markup/table.ts'
import { type Chip, type KnownWorkspaces, toChipList, toWorkspaceField } from './records/record-filters.ts'

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
