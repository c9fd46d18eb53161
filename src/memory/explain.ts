import type { Static } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import type { Ranked } from './find/find.ts'
import { findMatches, type Question } from './find/find-matches.ts'
import { toFoundRecords } from './found.ts'
import type { Weighed } from './rank/term.ts'
import type { MemoryRecord, Status } from './record.ts'
import { type Hint, type SearchArguments, toHint, toQuestion } from './search.ts'
import { DEFAULT_WORKSPACE } from './workspace.ts'

/** A word of the query and what it contributed to one record, in the unit of weights: the score is made of the sums. */
export type Contribution = {
  word: string
  /** Terms of the index that stand for the word: its stems, or the known words taken for it. */
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
  means: Means,
  caller: Caller,
  { status, ...args }: ExplainedArguments,
): Promise<{ result: Explained[]; hint?: Hint }> {
  const question: Question = { ...(await toQuestion(means, caller, args)), status }
  const { found, terms } = await findMatches(question)
  const workspace = args.workspace ?? DEFAULT_WORKSPACE
  if (found.length === 0) return { result: [], hint: await toHint(question, workspace, terms) }
  const records = await toFoundRecords(means, workspace, { found, terms })
  return { result: records.map((record, at) => ({ ...record, terms: toContributions(terms, found[at]?.ranked) })) }
}

function toContributions(terms: Weighed[], ranked: Ranked | undefined): Contribution[] {
  return terms.map(({ word, forms, use, weight }, at) => {
    return { word, forms, use, weight, own: ranked?.own[at] ?? 0, with_neighbours: ranked?.lent[at] ?? 0 }
  })
}
