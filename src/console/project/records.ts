import { STATUSES } from '../../memory/records/record.ts'
import type { ShownRecord } from '../../memory/records/shown-record.ts'
import type { Explained } from '../../memory/search/explain.ts'
import type { Hint } from '../../memory/search/hint.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { toCheckbox, toField, toSelect } from '../markup/form.ts'
import { countOf } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toMoreLink, toOlderLink } from '../markup/paging.ts'
import { toContributions } from './contributions.ts'
import { toRecordCard, toRecordList } from './record-card.ts'

/** The values of the form above the records. */
export type Filters = {
  words: string
  workspace: string
  scope: string
  status: string
  fresh: boolean
  source: string
  factKey: string
  author: string
  since: string
  until: string
}

/** The results of a search in one workspace, or with an empty name in every one; `more` is the link to the next page. */
export type FoundRecords = { workspace: string; result: Explained[]; hint: Hint | undefined; more: string | undefined }

/** One page of all records, last saved first. */
export type ListedRecords = { records: ShownRecord[]; older: string | undefined }

/** The first workspaces by name, and whether there are more of them. */
export type KnownWorkspaces = { names: string[]; areMore: boolean }

type RecordsPage = { path: string; filters: Filters; workspaces: KnownWorkspaces; shown: FoundRecords | ListedRecords }

const ANY = { value: '', label: 'any' }
const SCOPE_OPTIONS = [ANY, ...SCOPES.map((value) => ({ value, label: value }))]
const STATUS_OPTIONS = [ANY, ...STATUSES.map((value) => ({ value, label: value }))]

/** The records of a project: all of them, newest first, or those that a query finds. */
export function toRecords({ path, filters, workspaces, shown }: RecordsPage): Html {
  return html`<h1>Records</h1>
${toForm(path, filters, workspaces)}
${'result' in shown ? toFound(path, shown) : toListing(path, filters, shown)}`
}

function toForm(path: string, filters: Filters, workspaces: KnownWorkspaces): Html {
  const { words, workspace, scope, status, fresh } = filters
  const hint = 'The words of the text, as an assistant would search. Without words, the newest records.'
  return html`<form method="get" action="${path}/records" class="search" role="search">
${toField({ name: 'q', label: 'Search', type: 'search', value: words, hint, maxlength: 2000 })}
<div class="filters">
${toWorkspaceField(workspace, workspaces)}
${toSelect({ name: 'scope', label: 'Scope', value: scope }, SCOPE_OPTIONS)}
${toSelect({ name: 'status', label: 'Status', value: status }, STATUS_OPTIONS)}
</div>
${toMoreFilters(filters)}
${toCheckbox({ name: 'fresh', label: 'Leave out stale records', ticked: fresh })}
<div class="actions"><button class="main">Show</button><a class="button" href="${path}/records">Clear</a></div>
</form>`
}

/** Filters that are needed less often, unfolded where one of them is set. */
function toMoreFilters({ source, factKey, author, since, until }: Filters): Html {
  const isSet = [source, factKey, author, since, until].some((value) => value !== '')
  return html`<details${isSet ? html` open` : undefined}><summary>More filters</summary>
<div class="filters">
${toField({ name: 'source', label: 'Source', value: source, maxlength: 512 })}
${toField({ name: 'fact_key', label: 'Fact key', value: factKey, maxlength: 128 })}
${toField({ name: 'author', label: 'Author', value: author, hint: 'The name that records show.', maxlength: 200 })}
${toField({ name: 'since', label: 'Saved since', type: 'date', value: since })}
${toField({ name: 'until', label: 'Saved until', type: 'date', value: until })}
</div>
</details>`
}

/** A `select` element with all workspaces or, where there are more than were read, a text field for the name. */
function toWorkspaceField(value: string, { names, areMore }: KnownWorkspaces): Html {
  const field = { name: 'workspace', label: 'Workspace', value }
  if (areMore) return toField({ ...field, hint: 'Its name; any when empty.', maxlength: 64, suggestions: names })
  const known = value === '' || names.includes(value) ? names : [value, ...names]
  return toSelect(field, [ANY, ...known.map((name) => ({ value: name, label: name }))])
}

const NOTHING: NonNullable<Hint['left_out']> = { stale: 0, other_scope: 0 }

function toFound(path: string, { workspace, result, hint, more }: FoundRecords): Html {
  if (result.length === 0) return toHint(workspace, hint ?? {})
  const cards = result.map((found) => toRecordCard(path, found, { score: found.score, more: toContributions(found) }))
  return html`<h2>${countOf(result.length, 'record')} of ${toPlace(workspace)}, best first</h2>
${toUnknownWords(hint)}
${toRecordList(cards, '')}
${toMoreLink(more)}`
}

const toPlace = (workspace: string) => (workspace === '' ? 'every workspace' : html`the workspace <bdi>${workspace}</bdi>`)

function toUnknownWords(hint: Hint | undefined): Html | undefined {
  const words = hint?.words_not_found ?? []
  return words.length === 0 ? undefined : html`<p class="quiet">In no record: <bdi>${words.join(', ')}</bdi></p>`
}

function toHint(workspace: string, { words = [], other_workspaces: others = [], left_out: left = NOTHING, advice }: Hint): Html {
  const leftOut = left.stale + left.other_scope + (left.other ?? 0)
  const looked = html`Looked in ${toPlace(workspace)} for: ${words.length === 0 ? 'no word at all' : html`<bdi>${words.join(', ')}</bdi>`}.`
  return html`<h2>Nothing found</h2>
<p class="nothing">${looked} ${leftOut === 0 ? undefined : html`The filters left out ${countOf(leftOut, 'record')}. `}${others.length === 0 ? advice : html`There are such records in <bdi>${others.join(', ')}</bdi>.`}</p>`
}

function toListing(path: string, { workspace, source }: Filters, { records, older }: ListedRecords): Html {
  const inWorkspace = workspace === '' ? undefined : html` in the workspace <bdi>${workspace}</bdi>`
  const heading = source === '' ? html`Newest first` : html`Records of the source <bdi>${source}</bdi>${inWorkspace}, newest first`
  const cards = records.map((record) => toRecordCard(path, record))
  return html`<h2>${heading}</h2>
${toRecordList(cards, 'No records.')}
${toOlderLink(older)}`
}
