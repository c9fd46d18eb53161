import { Command } from 'commander'
import { actingAs } from '../account/auth/caller.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { type Explained, explainSearch } from '../memory/search/explain.ts'
import { searchMemory } from '../memory/search/search.ts'
import type { Cli } from './cli.ts'
import { readCount } from './command.ts'
import { findMember, findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { type FilterOptions, toFilterArguments, withFilterOptions, withoutUndefined } from './record-filter.ts'
import { defineCommand } from './report.ts'
import { toOneLine, toTable, toTableTime } from './terminal/table.ts'

type Options = ProjectOptions & FilterOptions & { workspace?: string; member?: string; limit: number; offset?: number; explain?: true }

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 50
const MAX_OFFSET = 1_000_000

/** `memsvc search` */
export function searchCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('search').description('find records as an assistant would'))
    .argument('<query>', "words, an id, a fact key or a source; '*' lists the last saved records")
    .option('--workspace <name>', "'default' if left out; '*' means all")
    .option('--member <member>', "search as this member (e-mail or id), with their drafts and their department's records")
  withFilterOptions(command)
    .option('--offset <n>', 'skip this many at the beginning', readCount(MAX_OFFSET, 0))
    .option('--limit <n>', `maximum number, up to ${MAX_LIMIT}`, readCount(MAX_LIMIT), DEFAULT_LIMIT)
    .option('--explain', 'show what each word of the query contributed')
  return defineCommand(cli, command, {
    act: async (service, { member: memberRef, explain, ...options }: Options, query = '') => {
      const project = await findProject(service, options)
      const account = await requireAccount(service, project.accountId)
      const member = await findMember(service, memberRef, account)
      const { workspace, offset, limit } = options
      const args = { query, limit, ...withoutUndefined({ workspace, offset }), ...toFilterArguments(options) }
      const caller = actingAs(account, project, member)
      return explain ? explainSearch(service, caller, args) : searchMemory(service, caller, args)
    },
    toText: (answer) =>
      [isExplained(answer) ? answer.result.map(toExplanation).join('\n\n') : toResults(answer), ...toRemarks(answer)].join('\n'),
  })
}

type Answer = Awaited<ReturnType<typeof searchMemory>>
type ExplainedAnswer = Awaited<ReturnType<typeof explainSearch>>

/** An answer without results has the same form with and without an explanation. */
const isExplained = (answer: Answer | ExplainedAnswer): answer is ExplainedAnswer => answer.result.some((found) => 'terms' in found)

function toResults({ result, hint }: Answer): string {
  return toTable(
    ['SCORE', 'STATUS', 'SAVED', 'SOURCE', 'CONTENT'],
    result.map(({ score, status, stale, created_at, source_id, content }) => [
      score.toFixed(3),
      stale ? `${status}, stale` : status,
      toTableTime(created_at),
      toOneLine(source_id ?? '-'),
      toOneLine(content),
    ]),
    `nothing found. ${hint?.advice ?? ''}`.trimEnd(),
  )
}

/** What is to be known of an answer that has results. */
function toRemarks({ result, hint, next_offset: next }: Answer): string[] {
  if (result.length === 0) return []
  const { words_not_found: unknown, advice } = hint ?? {}
  return [
    ...(unknown === undefined ? [] : [`No record holds: ${unknown.join(', ')}`]),
    ...(advice === undefined ? [] : [advice]),
    ...(next === undefined ? [] : [`There are more: --offset ${next}`]),
  ]
}

/** A result and, below it, what contributed to its score: the words of the query, by the record itself and with its neighbours, and its source. */
function toExplanation({ score, stale, content, terms, source_evidence: evidence }: Explained): string {
  const counted = terms.filter(({ with_neighbours: total }) => total > 0)
  const rows = counted.map(({ word, forms, use, weight, own, with_neighbours: total }) => [
    `  ${word}`,
    forms.join(' | '),
    use,
    weight.toFixed(3),
    own.toFixed(3),
    total.toFixed(3),
  ])
  if (evidence > 0) rows.push(['  (its source)', '', '', '', '', evidence.toFixed(3)])
  const head = `${score.toFixed(4)}${stale ? ' (stale: half)' : ''}  ${toOneLine(content)}`
  return `${head}\n${toTable(['  WORD', 'FOUND AS', 'USE', 'WEIGHT', 'OWN', 'WITH NEIGHBOURS'], rows, '  nothing')}`
}
