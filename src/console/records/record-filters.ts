import { DAY_MS } from '../../clock.ts'
import { STATUSES } from '../../memory/records/record.ts'
import { SCOPES } from '../../memory/visibility.ts'
import { toField, toFilterFold, toSelect } from '../markup/form.ts'
import { type Html, html } from '../markup/html.ts'
import { toQueryPath } from '../paging.ts'

/** The filter values of the records, empty for none. */
export type Filters = {
  words: string
  workspace: string
  scope: string
  status: string
  freshness: string
  source: string
  factKey: string
  author: string
  since: string
  until: string
}

/** The first workspaces by name, and whether there are more. */
export type KnownWorkspaces = { names: string[]; areMore: boolean }

const ANY = { value: '', label: 'any' }
const SCOPE_OPTIONS = [ANY, ...SCOPES.map((value) => ({ value, label: value }))]
const STATUS_OPTIONS = [ANY, ...STATUSES.map((value) => ({ value, label: value }))]

/** Values of the filter `freshness`; `expiring` means within `EXPIRING_DAYS`. */
const FRESHNESS = ['fresh', 'stale', 'expiring'] as const
export const EXPIRING_DAYS = 30
const FRESHNESS_LABELS: Record<string, string> = { fresh: 'fresh', stale: 'stale', expiring: `expiring within ${EXPIRING_DAYS} days` }
const FRESHNESS_OPTIONS = [ANY, ...FRESHNESS.map((value) => ({ value, label: FRESHNESS_LABELS[value] ?? value }))]

const FIELDS = ['workspace', 'scope', 'status', 'freshness', 'source', 'fact_key', 'author', 'since', 'until']

/** One row: the search field, and a button for filters. With scripts the list is updated while typing. */
export function toFilterForm(at: string, filters: Filters, workspaces: KnownWorkspaces): Html {
  return html`<form method="get" action="${at}" class="search" role="search" hx-get="${at}" hx-trigger="input changed delay:250ms from:#q, change, submit" hx-target="#found" hx-select="#found" hx-swap="outerHTML" hx-replace-url="true" hx-sync="this:replace">
<input id="q" name="q" type="search" value="${filters.words}" maxlength="2000" autocomplete="off" aria-label="Search records" placeholder="Search, as an assistant would">
<button class="main">Search</button>
${toFilterFold(
  FIELDS,
  html`${toWorkspaceField(filters.workspace, workspaces)}
${toSelect({ name: 'scope', label: 'Scope', value: filters.scope }, SCOPE_OPTIONS)}
${toSelect({ name: 'status', label: 'Status', value: filters.status }, STATUS_OPTIONS)}
${toSelect({ name: 'freshness', label: 'Freshness', value: filters.freshness }, FRESHNESS_OPTIONS)}
${toField({ name: 'source', label: 'Source', value: filters.source, maxlength: 512 })}
${toField({ name: 'fact_key', label: 'Fact key', value: filters.factKey, maxlength: 128 })}
${toField({ name: 'author', label: 'Author', value: filters.author, maxlength: 200 })}
${toField({ name: 'since', label: 'Saved since', type: 'date', value: filters.since })}
${toField({ name: 'until', label: 'Saved until', type: 'date', value: filters.until })}`,
)}
</form>`
}

/** A `select` element with all workspaces or, if there are more than were read, a text field. */
export function toWorkspaceField(value: string, { names, areMore }: KnownWorkspaces): Html {
  const field = { name: 'workspace', label: 'Workspace', value }
  if (areMore) return toField({ ...field, maxlength: 64, suggestions: names })
  const known = value === '' || names.includes(value) ? names : [value, ...names]
  return toSelect(field, [ANY, ...known.map((name) => ({ value: name, label: name }))])
}

const CHIP_LABELS: [keyof Filters, string][] = [
  ['workspace', 'Workspace'],
  ['scope', 'Scope'],
  ['status', 'Status'],
  ['freshness', 'Freshness'],
  ['source', 'Source'],
  ['factKey', 'Fact key'],
  ['author', 'Author'],
  ['since', 'Since'],
  ['until', 'Until'],
]

/** The active filters as links that remove them; undefined if there are none. */
export function toChips(at: string, filters: Filters): Html | undefined {
  const chips = CHIP_LABELS.filter(([name]) => filters[name] !== '').map(([name, label]) => ({
    label,
    text: name === 'freshness' ? (FRESHNESS_LABELS[filters[name]] ?? filters[name]) : filters[name],
    without: toQueryPath(at, toQuery({ ...filters, [name]: '' })),
  }))
  return toChipList(chips, toQueryPath(at, { q: filters.words }))
}

/** An active filter as displayed, and the path of the page without it. */
export type Chip = { label: string; text: string; without: string }

/** Filters as links that remove them, and for several one to `cleared`; undefined for none. */
export function toChipList(chips: Chip[], cleared: string): Html | undefined {
  if (chips.length === 0) return undefined
  const items = chips.map(
    ({ label, text, without }) =>
      html`<li><a class="chip" href="${without}" aria-label="Remove the filter ${label}: ${text}">${label}: <bdi>${text}</bdi> <span aria-hidden="true">×</span></a></li>\n`,
  )
  return html`<ul class="chips">${items}${chips.length > 1 ? html`<li><a href="${cleared}">Clear all</a></li>` : undefined}</ul>`
}

/** The filters as the query of a link. */
export function toQuery({ words, factKey, ...texts }: Filters): Record<string, string> {
  return { q: words, ...texts, fact_key: factKey }
}

/** Reads the filters from a query. */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  return {
    words: text('q'),
    workspace: text('workspace'),
    scope: text('scope'),
    status: text('status'),
    freshness: text('freshness'),
    source: query.get('source') ?? '',
    factKey: text('fact_key'),
    author: text('author'),
    since: text('since'),
    until: text('until'),
  }
}

/** The arguments of the filters, without empty ones and invalid values of a choice. */
export function toListArguments({ workspace, freshness, source, factKey, author, since, until, ...chosen }: Filters) {
  const scope = SCOPES.find((one) => one === chosen.scope)
  const status = STATUSES.find((one) => one === chosen.status)
  return {
    ...(workspace && { workspace }),
    ...(scope && { scope }),
    ...(status && { status }),
    ...(freshness === 'fresh' && { exclude_stale: true }),
    ...(freshness === 'stale' && { only_stale: true }),
    ...(freshness === 'expiring' && { expires_within_ms: EXPIRING_DAYS * DAY_MS }),
    ...(source && { source_id: source }),
    ...(factKey && { fact_key: factKey }),
    ...(author && { author }),
    ...(since && { since }),
    ...(until && { until }),
  }
}
