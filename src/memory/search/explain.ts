import type { Caller } from '../../account/auth/caller.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { analyze } from '../../text/analyzer.ts'
import type { MemoryRecord, Status } from '../records/record.ts'
import { DEFAULT_WORKSPACE } from '../workspaces/workspace.ts'
import { findMatches, type SearchRequest } from './find-matches.ts'
import { type Hint, toHint } from './hint.ts'
import type { WeightedTerm } from './postings.ts'
import type { RankedRecord } from './rank.ts'
import { toFoundRecords } from './results.ts'
import { type SearchArguments, type SearchContext, toRequest } from './search.ts'

/** A word of the query and what it is worth in one record, in the unit of weights: the score is computed from the sums. */
export type Contribution = {
  word: string
  /** Its stems; or, of the terms that were searched for instead of a word that no record holds, those that this record holds. */
  forms: string[]
  /** `rare` words find records, `weak` ones (stop words) and `single` ones (characters) only add to the score of those that others find. */
  use: string
  /** What one match in a text of average length is worth. */
  weight: number
  own: number
  /** What it is worth with the boost by records of the same source saved next to this one. */
  with_neighbours: number
}

/** A record found, with what each word of the query contributed. */
export type Explained = MemoryRecord & { terms: Contribution[] }

/** The arguments of an explained search; `status` leaves out records of any other. */
export type ExplainedArguments = SearchArguments & { status?: Status | undefined }

/** The answer that `searchMemory` gives, with what each word contributed to each record. Throws as `searchMemory` does. */
export async function explainSearch(
  ctx: SearchContext,
  caller: Caller,
  { status, ...args }: ExplainedArguments,
): Promise<{ result: Explained[]; hint?: Hint }> {
  const request: SearchRequest = { ...(await toRequest(ctx, caller, args)), status }
  const found = await findMatches(request)
  const workspace = args.workspace ?? DEFAULT_WORKSPACE
  if (found.matches.length === 0) return { result: [], hint: await toHint(request, workspace, found) }
  const records = await toFoundRecords(ctx, workspace, found)
  const contributions: Contribution[][] = []
  for (const { record, ranked } of found.matches) {
    const due = yieldIfDue()
    if (due !== undefined) await due
    contributions.push(toContributions(found.terms, ranked, record.content))
  }
  return { result: records.map((record, at) => ({ ...record, terms: contributions[at] ?? [] })) }
}

function toContributions(terms: WeightedTerm[], ranked: RankedRecord, content: string): Contribution[] {
  const hasExpansion = terms.some(({ form }) => form === undefined)
  const held = new Set(hasExpansion ? analyze(content).terms.split(' ') : [])
  return terms.map(({ word, indexTerms, form, use, weight }, at) => {
    const forms = form === undefined ? indexTerms.filter((term) => held.has(term)) : indexTerms
    return { word, forms, use, weight, own: ranked.own[at] ?? 0, with_neighbours: ranked.boosted[at] ?? 0 }
  })
}
