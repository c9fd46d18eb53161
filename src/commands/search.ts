import { actingAs } from '../account/auth/caller.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { type Explained, explainSearch } from '../memory/search/explain.ts'
import { searchMemory } from '../memory/search/search.ts'
import { readCount } from './command.ts'
import { findMember, onProject } from './options.ts'
import { FILTER, toFilterArguments, withoutUndefined } from './record-filter.ts'
import { toOneLine, toTable, toTableTime } from './terminal/text.ts'

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 50
const MAX_OFFSET = 1_000_000

export const searchCommand = onProject('search', 'find records as an assistant would', {
  arguments: { '<query>': "words, an id, a fact key or a source; '*' lists the last saved records" },
  options: {
    '--also <wording...>': 'other wordings of the same, up to 5',
    '--workspace <name>': "'default' if left out; '*' means all",
    '--member <member>': "search as this member (e-mail or id), with their drafts and their department's records",
    ...FILTER,
    '--offset <n>': { help: 'skip this many at the beginning', parse: readCount(MAX_OFFSET, 0) },
    '--limit <n>': { help: `maximum number, up to ${MAX_LIMIT}`, parse: readCount(MAX_LIMIT), default: DEFAULT_LIMIT },
    '--explain': 'show what each word of the query contributed',
  },
  act: async (service, project, { member: ref, explain, also, workspace, offset, limit, ...filter }, query = '') => {
    const account = await requireAccount(service, project.accountId)
    const args = { query, limit, ...withoutUndefined({ also, workspace, offset }), ...toFilterArguments(filter) }
    const caller = actingAs(account, project, await findMember(service, ref, account))
    return explain ? explainSearch(service, caller, args) : searchMemory(service, caller, args)
  },
  toText: (answer) =>
    [isExplained(answer) ? answer.result.map(toExplanation).join('\n\n') : toResults(answer), ...toRemarks(answer)].join('\n'),
})

type Answer = Awaited<ReturnType<typeof searchMemory>>
type ExplainedAnswer = Awaited<ReturnType<typeof explainSearch>>

/** An answer without results has the same form with and without an explanation. */
const isExplained = (answer: Answer | ExplainedAnswer): answer is ExplainedAnswer => answer.result.some((found) => 'terms' in found)

function toResults({ result, hint }: Answer): string {
  return toTable(
    ['SCORE', 'STATUS', 'SAVED', 'SOURCE', 'CONTENT'],
    result.map(({ score, status, stale, created_at, source_id, content }) => [
      String(score),
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
function toExplanation({ score, stale, content, terms, source_evidence: evidence, newness, wording }: Explained): string {
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
  rows.push(['  (newness)', '', '', '', '', `×${newness.toFixed(3)}`])
  const asked = wording === undefined ? '' : `  found best by: ${toOneLine(wording)}\n`
  const head = `${score}${stale ? ' (stale: half)' : ''}  ${toOneLine(content)}`
  return `${head}\n${asked}${toTable(['  WORD', 'FOUND AS', 'USE', 'WEIGHT', 'OWN', 'WITH NEIGHBOURS'], rows, '  nothing')}`
}
