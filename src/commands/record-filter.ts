import { type Command, Option } from 'commander'
import type { FilterArguments } from '../memory/records/lists/record-filter.ts'
import { STATUSES, type Status } from '../memory/records/record.ts'
import { SCOPES, type Scope } from '../memory/visibility.ts'

/** The options that `withFilterOptions` adds, with the meanings of the arguments of `search`. */
export type FilterOptions = {
  source?: string
  factKey?: string
  author?: string
  scope?: Scope
  status?: Status
  since?: string
  until?: string
  excludeStale?: true
}

/** Adds the options that filter a list of records or a search. */
export function withFilterOptions(command: Command): Command {
  return command
    .option('--source <id>', 'only records of this source')
    .option('--fact-key <key>', 'only records of this fact key')
    .option('--author <name>', 'only records of this author, as lists show the name')
    .addOption(new Option('--scope <scope>', 'only records with this scope').choices(SCOPES))
    .addOption(new Option('--status <status>', 'only records with this status').choices(STATUSES))
    .option('--since <time>', 'only records saved or refreshed then or later: a date or an ISO 8601 time')
    .option('--until <time>', 'only records saved or refreshed then or earlier; a date includes its day')
    .option('--exclude-stale', 'leave out stale records')
}

/** The filter that the options give. */
export function toFilterArguments({ source, factKey, author, scope, status, since, until, excludeStale }: FilterOptions) {
  const given: FilterArguments = { source_id: source, fact_key: factKey, author, scope, status, since, until, exclude_stale: excludeStale }
  return withoutUndefined(given)
}

type Defined<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> }

/** Only the fields that have a value. */
export function withoutUndefined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
}
