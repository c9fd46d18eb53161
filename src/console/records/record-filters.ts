import { DAY_MS } from '../../clock.ts'
import { STATUSES } from '../../memory/records/record.ts'
import { SCOPES } from '../../memory/visibility.ts'
import type { WorkspacePage } from '../../memory/workspaces/workspace.ts'
import { ANY, anyOf, type Filter, toDayFilters } from '../markup/table.ts'
import { readQuery } from '../paging.ts'

const NAMES = [
  'q',
  'also',
  'workspace',
  'scope',
  'status',
  'freshness',
  'source',
  'author',
  'since',
  'until',
  'fact_key',
] as const

/** The words of a search and the filters of the records by their parameters in the page's address, empty for none. */
export type Filters = Record<(typeof NAMES)[number], string>

/** Reads the filters from a query. */
export const readFilters = (query: URLSearchParams): Filters => readQuery(query, NAMES)

const EXPIRING_DAYS = 30
const FRESHNESS_OPTIONS = [
  ANY,
  { value: 'fresh', label: 'fresh' },
  { value: 'stale', label: 'stale' },
  { value: 'expiring', label: `expiring within ${EXPIRING_DAYS} days` },
]

/** The first workspaces by name, and the id after which there are more. */
type KnownWorkspaces = Pick<WorkspacePage, 'workspaces' | 'more'>

/** The filters of the list with their fields. */
export function toFilters(filters: Filters, workspaces: KnownWorkspaces): Filter[] {
  const { scope, status, freshness, source, fact_key, author } = filters
  return [
    toWorkspaceFilter(filters.workspace, workspaces),
    { name: 'scope', label: 'Scope', value: scope, options: anyOf(SCOPES) },
    { name: 'status', label: 'Status', value: status, options: anyOf(STATUSES) },
    { name: 'freshness', label: 'Freshness', value: freshness, options: FRESHNESS_OPTIONS },
    { name: 'source', label: 'Source', value: source, maxlength: 512 },
    { name: 'fact_key', label: 'Fact key', value: fact_key, maxlength: 128 },
    { name: 'author', label: 'Author', value: author, maxlength: 200 },
    ...toDayFilters(filters, 'Saved'),
    { name: 'also', label: 'Other wordings, separated by ;', chip: 'Also', value: filters.also, maxlength: 1_000 },
  ]
}

/** A choice of all workspaces or, if there are more than were read, a text field. */
export function toWorkspaceFilter(value: string, { workspaces, more }: KnownWorkspaces): Filter {
  const names = workspaces.map(({ name }) => name)
  const filter = { name: 'workspace', label: 'Workspace', value }
  if (more !== undefined) return { ...filter, maxlength: 64, suggestions: names }
  return { ...filter, options: anyOf(value === '' || names.includes(value) ? names : [value, ...names]) }
}

/** The words of a search and other wordings of them, which count for nothing without words. */
export const toWordings = ({ q, also }: Filters) => ({
  query: q,
  also: also.split(';').map((wording) => wording.trim()),
})

/** The arguments of the filters, without empty ones and invalid values of a choice. */
export function toListArguments({ workspace, freshness, source, fact_key, author, since, until, ...chosen }: Filters) {
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
    ...(fact_key && { fact_key }),
    ...(author && { author }),
    ...(since && { since }),
    ...(until && { until }),
  }
}
