import type { RecordCount } from '../../memory/records/lists/count-records.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import type { Explained } from '../../memory/search/explain.ts'
import type { Hint } from '../../memory/search/hint.ts'
import type { Needle } from '../../memory/search/passage.ts'
import { WEAK_SHARE } from '../../memory/search/weights.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { type Filter, toBeginning, toChips, toFilterFold } from '../markup/table.ts'
import { toPageLink, toPageLinks, toQueryPath } from '../paging.ts'
import { RECORD_ACTS, toBulkBar } from './bulk-bar.ts'
import { toContributions } from './contributions.ts'
import { toRecordCard, toRecordList } from './record-card.ts'
import type { Filters } from './record-filters.ts'

/** A record found by words, as it is shown. */
export type FoundRecord = { score: number; card: Html }

/** The results of a search after the first `offset`; `more` is the link to the next page. */
export type FoundRecords = { result: FoundRecord[]; hint: Hint | undefined; offset: number; more: string | undefined }

/** The page of a list: the first, or the one after the record `before`, or before the record `after`, each an id. */
export type ListPlace = { before?: string; after?: string }

/** One page of all records, last saved first; `newer` and `older` are the ids from which the adjacent pages start. */
export type ListedRecords = {
  records: ShownRecord[]
  total: RecordCount | undefined
  place: ListPlace
  newer: string | undefined
  older: string | undefined
}

type RecordsPage = {
  /** The path of the project. */
  path: string
  filters: Filters
  /** The filters with their fields. */
  fields: Filter[]
  /** Undefined if the filters were refused. */
  shown: FoundRecords | ListedRecords | undefined
  /** Milliseconds since 1970; records saved later are not affected by an action on all. */
  now: number
}

/**
 * The records of a project: all, newest first, or those that match a query. In one row stand the search field and a
 * button for filters; with scripts the list is updated while typing.
 */
export function toRecords(page: RecordsPage): Html {
  const { path, filters, fields, shown } = page
  const at = `${path}/records`
  return html`<div class="head"><h1>Records</h1><a class="button small" href="${at}/new">New record</a></div>
<form method="get" action="${at}" class="search" role="search" hx-get="${at}" hx-trigger="input changed delay:250ms from:#q, change, submit" hx-target="#found" hx-select="#found" hx-swap="outerHTML" hx-replace-url="true" hx-sync="this:replace">
<input id="q" name="q" type="search" value="${filters.q}" maxlength="2000" autocomplete="off" aria-label="Search records" placeholder="Search, as an assistant would">
<button class="main">Search</button>
${toFilterFold(fields)}
</form>
<div id="found">
${toChips(at, fields, { q: filters.q })}
${shown && ('result' in shown ? toFound(filters.workspace, shown) : toListing(path, filters, shown))}
${shown && toActs(at, page, shown)}
</div>`
}

/** What can be done with the records together, and the link to download them; nothing if there are none. */
function toActs(at: string, { filters, now }: RecordsPage, shown: FoundRecords | ListedRecords): Html | undefined {
  const isList = 'records' in shown
  if ((isList ? shown.records : shown.result).length === 0) return undefined
  const back = toQueryPath(at, isList ? { ...filters, ...shown.place } : filters)
  const bar = toBulkBar({
    action: `${at}/bulk`,
    fields: { filter: new URLSearchParams(filters).toString(), as_of: String(now), back },
    all: isList ? `All of this list: ${toTotal(shown.total)}` : undefined,
    acts: RECORD_ACTS,
  })
  return html`${bar}
<p class="older"><a href="${toQueryPath(`${at}/export`, filters)}" download>Download these as JSON Lines</a></p>`
}

const NOTHING: NonNullable<Hint['left_out']> = { stale: 0, other_scope: 0 }

function toFound(workspace: string, { result, hint, offset, more }: FoundRecords): Html {
  if (result.length === 0) return toHint(workspace, hint ?? {})
  const best = Math.max(...result.map(({ score }) => score))
  const isWeak = ({ score }: FoundRecord) => score < best * WEAK_SHARE
  const weak = result.filter(isWeak)
  const strong = result.filter((found) => !isWeak(found))
  const count = countOf(result.length, offset > 0 ? 'further record' : 'record')
  const isFirst = offset === 0 && more !== undefined
  return html`<h2>${isFirst ? 'The best ' : undefined}${count} in ${toPlace(workspace)}${isFirst ? undefined : ', best first'}</h2>
${toUnknownWords(workspace, hint)}
${toFoundList(strong)}
${weak.length === 0 ? undefined : html`<details class="weak"><summary>${countOf(weak.length, 'weaker record')}</summary>${toFoundList(weak)}</details>`}
${toPageLink(more, 'More')}`
}

const toFoundList = (found: FoundRecord[]) => toRecordList(found.map(({ card }) => card))

/** The card of a found record, with its whole content, and with the words' contributions to its score. */
export function toFoundCard(path: string, record: ShownRecord, found: Explained): FoundRecord {
  const { score, terms, stale = false } = found
  const card = toRecordCard(
    path,
    { ...record, stale },
    { score, needles: toNeedles(terms), more: toContributions(found), isChoosable: true },
  )
  return { score, card }
}

/** The words of a query that the record contains, for highlighting. */
function toNeedles(terms: Explained['terms']): Needle[] {
  return terms
    .filter(({ own }) => own > 0)
    .map(({ word, forms, weight }) => ({ spellings: [...new Set([word, ...forms])], weight }))
}

const toPlace = (workspace: string) =>
  workspace === '' ? 'all workspaces' : html`the workspace <bdi>${workspace}</bdi>`

function toUnknownWords(workspace: string, hint: Hint | undefined): Html | undefined {
  const words = hint?.words_not_found ?? []
  return words.length === 0
    ? undefined
    : html`<p class="quiet">In no record${workspace === '' ? undefined : html` of ${toPlace(workspace)}`}: <bdi>${words.join(', ')}</bdi></p>`
}

function toHint(
  workspace: string,
  { words = [], other_workspaces: others = [], left_out: left = NOTHING, advice }: Hint,
): Html {
  const leftOut = left.stale + left.other_scope + (left.other ?? 0)
  const looked = html`Searched ${toPlace(workspace)} for: ${words.length === 0 ? 'no words' : html`<bdi>${words.join(', ')}</bdi>`}.`
  return html`<h2>Nothing found</h2>
<p class="nothing">${looked} ${leftOut === 0 ? undefined : html`The filters left out ${countOf(leftOut, 'record')}. `}${others.length === 0 ? advice : html`There are such records in <bdi>${others.join(', ')}</bdi>.`}</p>`
}

const NOTHING_SAVED = 'Nothing is saved yet, or nothing that you may see. Connect an assistant to save records.'

function toListing(path: string, filters: Filters, { records, total, newer, older }: ListedRecords): Html {
  const cards = records.map((record) => toRecordCard(path, record, { isChoosable: true }))
  const isUnfiltered = Object.values(filters).every((value) => value === '')
  const linkTo = (place: ListPlace) => toQueryPath(`${path}/records`, { ...filters, ...place })
  if (cards.length === 0)
    return isUnfiltered
      ? toBeginning(path, NOTHING_SAVED, true)
      : html`<h2>No records</h2><p class="nothing">No record that you may see matches these filters.</p>`
  return html`<h2>${toTotal(total)}, newest first</h2>
${toRecordList(cards)}
${toPageLinks(newer && linkTo({ after: newer }), older && linkTo({ before: older }))}`
}

function toTotal(total: RecordCount | undefined): string {
  if (total === undefined) return 'Some records'
  const count = countOf(total.count, 'record')
  return { all: count, past: `about ${count}`, some: `more than ${count}` }[total.of]
}
