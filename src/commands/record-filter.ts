import type { FilterArguments } from '../memory/records/lists/record-filter.ts'
import { STATUSES } from '../memory/records/record.ts'
import { SCOPES } from '../memory/visibility.ts'
import type { OptionsOf } from './command.ts'

/** The options that filter a list of records or a search, with the meanings of the arguments of `search`. */
export const FILTER = {
  '--source <id>': 'only records of this source',
  '--fact-key <key>': 'only records of this fact key',
  '--author <name>': 'only records of this author, as lists show the name',
  '--scope <scope>': { help: 'only records with this scope', choices: SCOPES },
  '--status <status>': { help: 'only records with this status', choices: STATUSES },
  '--since <time>': 'only records saved or refreshed then or later: a date or an ISO 8601 time',
  '--until <time>': 'only records saved or refreshed then or earlier; a date includes its day',
  '--exclude-stale': 'leave out stale records',
} as const

/** The filter that the options give. */
export function toFilterArguments({
  source,
  factKey,
  author,
  scope,
  status,
  since,
  until,
  excludeStale,
}: OptionsOf<typeof FILTER>) {
  const given: FilterArguments = {
    source_id: source,
    fact_key: factKey,
    author,
    scope,
    status,
    since,
    until,
    exclude_stale: excludeStale,
  }
  return withoutUndefined(given)
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> }

/** Only the fields that have a value. */
export function withoutUndefined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}
