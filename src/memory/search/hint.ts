import { type Static, Type } from 'typebox'
import { findMatches, type Match, type Matches, type SearchRequest } from './find-matches.ts'

/** Beside an empty answer: what was searched for, and what the filters left out. */
export const Hint = Type.Object({
  workspace: Type.String(),
  words: Type.Array(Type.String()),
  left_out: Type.Object({ stale: Type.Integer(), other_scope: Type.Integer() }),
  advice: Type.String(),
})
export type Hint = Static<typeof Hint>

const MAX_SHOWN_WORDS = 20
/** Records that the filters left out are counted up to so many. */
const MAX_COUNTED_RECORDS = 50

/** Makes the hint for a request without matches. Searches once more without the filters, within the request's budget. */
export async function toHint(request: SearchRequest, workspace: string, { terms, lists }: Matches): Promise<Hint> {
  const leftOut = await findLeftOut(request, { terms, lists })
  const otherScope = leftOut.filter(({ record }) => !request.searched?.includes(record.audience))
  const words = [...new Set(terms.map(({ word }) => word))].slice(0, MAX_SHOWN_WORDS)
  const left_out = { stale: leftOut.length - otherScope.length, other_scope: otherScope.length }
  return { workspace, words, left_out, advice: toAdvice(request, leftOut) }
}

async function findLeftOut(request: SearchRequest, postings: SearchRequest['postings']): Promise<Match[]> {
  const { visible, searched, excludeStale, status } = request
  const isWhole = searched?.length === visible?.length
  if (isWhole && !excludeStale && status === undefined) return []
  const unfiltered = { searched: visible, excludeStale: false, status: undefined, limit: MAX_COUNTED_RECORDS }
  const { matches } = await findMatches({ ...request, ...unfiltered, postings: isWhole ? postings : undefined })
  return matches
}

function toAdvice({ budget }: SearchRequest, leftOut: Match[]): string {
  if (leftOut.length === 0) return 'Try other words, the ones the record itself would use.'
  if (budget.filteredCandidates > 0) return 'Ask again without the filters.'
  return 'Only the best matches were held to the filters, there are too many: ask with more words of the record, or without the filters.'
}
