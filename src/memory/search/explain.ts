import type { Static } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { analyze } from '../../text/analyzer.ts'
import type { MemoryRecord, Status } from '../records/record.ts'
import { DEFAULT_WORKSPACE } from '../workspaces/workspace.ts'
import { findMatches, type Question } from './find-matches.ts'
import type { WeightedTerm } from './query-term.ts'
import type { Ranked } from './rank.ts'
import { toFoundRecords } from './results.ts'
import { type Hint, type SearchArguments, toHint, toQuestion } from './search.ts'

/** A word of the query and what it contributed to one record, in the unit of weights: the score is made of the sums. */
export type Contribution = {
  word: string
  /** Its stems; or, where no record holds the word, those of the known words taken for it that this record holds. */
  forms: string[]
  /** `rare` words find records, `weak` (function words) and `single` (characters) only tell found ones apart. */
  use: string
  /** What one match in a text of average length is worth. */
  weight: number
  own: number
  /** The same, or what a neighbour of the same source lends where that is more. */
  with_neighbours: number
}

/** A record found, with the reasons. */
export type Explained = MemoryRecord & { terms: Contribution[] }

/** What is asked of an explained search; `status` leaves out records of any other. */
export type ExplainedArguments = Static<typeof SearchArguments> & { status?: Status | undefined }

/** The answer of `search` with what each word contributed, from one search. Throws as `search` does. */
export async function explainSearch(
  ctx: AppContext,
  caller: Caller,
  { status, ...args }: ExplainedArguments,
): Promise<{ result: Explained[]; hint?: Hint }> {
  const question: Question = { ...(await toQuestion(ctx, caller, args)), status }
  const matches = await findMatches(question)
  const { found, terms } = matches
  const workspace = args.workspace ?? DEFAULT_WORKSPACE
  if (found.length === 0) return { result: [], hint: await toHint(question, workspace, matches) }
  const records = await toFoundRecords(ctx, workspace, matches)
  const contributions: Contribution[][] = []
  for (const { record, ranked } of found) {
    const due = yieldIfDue()
    if (due !== undefined) await due
    contributions.push(toContributions(terms, ranked, record.content))
  }
  return { result: records.map((record, at) => ({ ...record, terms: contributions[at] ?? [] })) }
}

function toContributions(terms: WeightedTerm[], ranked: Ranked, content: string): Contribution[] {
  const isGuessed = terms.some(({ form }) => form === undefined)
  const held = new Set(isGuessed ? analyze(content).terms.split(' ') : [])
  return terms.map(({ word, forms, form, use, weight }, at) => {
    // The word's own stems are the query's; of what stands in for a word, a record shows what it holds itself.
    const shown = form === undefined ? forms.filter((one) => held.has(one)) : forms
    return { word, forms: shown, use, weight, own: ranked.own[at] ?? 0, with_neighbours: ranked.lent[at] ?? 0 }
  })
}
