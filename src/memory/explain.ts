import type { Static } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { findMatches } from './find/find-matches.ts'
import { type SearchArguments, toQuestion, toShownScore } from './search.ts'

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
export type Explained = { id: string; content: string; score: number; stale: boolean; terms: Contribution[] }

/** The answer of `search` with what each word contributed. Throws as `search` does. */
export async function explainSearch(means: Means, caller: Caller, args: Static<typeof SearchArguments>): Promise<Explained[]> {
  const { found, terms } = await findMatches(await toQuestion(means, caller, args))
  return found.map(({ record, score, stale, ranked }) => ({
    id: record.id,
    content: record.content,
    score: toShownScore(score),
    stale,
    terms: terms.map(({ word, forms, use, weight }, at) => {
      return { word, forms, use, weight, own: ranked.own[at] ?? 0, with_neighbours: ranked.lent[at] ?? 0 }
    }),
  }))
}
