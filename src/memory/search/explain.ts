import type { Caller } from '../../account/auth/caller.ts'
import type { RecordTexts, StoredRecord } from '../../store/record.ts'
import type { MemoryRecord } from '../records/record.ts'
import { findShown } from './find-matches.ts'
import { toEntryInSlices } from './index/index-entry.ts'
import { readContents } from './match-words.ts'
import type { RankedRecord } from './rank.ts'
import { type SearchArguments, type SearchRequest, toRequest } from './request.ts'
import { toFoundRecords } from './results.ts'
import { createSharesOf, newnessOf, wholeWeight } from './score.ts'
import { readDataVersion, type SearchContext, type SearchExtras, toExtras } from './search.ts'
import type { WeightedTerm } from './weigh-term.ts'

/**
 * What one word of the query contributes to one record, in the unit of term weights; the score is computed from their
 * sum.
 */
type Contribution = {
  word: string
  /**
   * Its stems. For a word that no record holds: those of the terms searched for in its place that this record holds.
   */
  forms: string[]
  /**
   * `rare` words find records, `weak` ones (stop words) and `single` ones (characters) only add to the score of those
   * that others find.
   */
  use: string
  /** Contribution of one match in a text of average length. */
  weight: number
  own: number
  /** Contribution including the boost by records of the same source that were saved next to this one. */
  with_neighbours: number
}

/**
 * A found record, with the contribution of each word of the query and its other wordings, and the contribution of its
 * source as a whole, in the same unit; the share of what is sought that it covers; the factor for its newness; and the
 * wording that found it best, if there are several. Only the source does not count for the score.
 */
export type Explained = MemoryRecord & {
  terms: Contribution[]
  source_evidence: number
  covered: number
  newness: number
  wording?: string
}

/**
 * The answer of `searchMemory`, with the contributions of each word and of the source to each record. Throws as
 * `searchMemory` does.
 */
export async function explainSearch(
  ctx: SearchContext,
  caller: Caller,
  args: SearchArguments,
): Promise<{ result: Explained[] } & SearchExtras> {
  const request = await toRequest(ctx, caller, args, await readDataVersion(ctx, caller))
  const found = await findShown(request)
  const records = await toFoundRecords(ctx, request, found)
  const matches = new Map((await readContents(request, found.page)).map((match) => [match.record.id, match]))
  const result: Explained[] = []
  for (const record of records) {
    const match = matches.get(record.id)
    result.push({
      ...record,
      ...(match?.ranked === undefined
        ? UNRANKED
        : await explainRanked(request, found.terms, match.ranked, match.record)),
    })
  }
  return { result, ...(await toExtras(request, found)) }
}

type Explanation = Pick<Explained, 'terms' | 'source_evidence' | 'covered' | 'newness' | 'wording'>

/** Of a record that was named or listed. */
const UNRANKED: Explanation = { terms: [], source_evidence: 0, covered: 1, newness: 1 }

async function explainRanked(
  { words = '', also, now }: SearchRequest,
  terms: WeightedTerm[],
  ranked: RankedRecord,
  record: StoredRecord,
): Promise<Explanation> {
  const shares = createSharesOf(terms)(ranked.boosted)
  const wording = [words, ...also][shares.indexOf(Math.max(...shares))]
  return {
    terms: await toContributions(terms, ranked, record),
    source_evidence: ranked.source * wholeWeight(terms, 0),
    covered: ranked.covered,
    newness: newnessOf(record, now),
    ...(also.length > 0 && wording !== undefined && { wording }),
  }
}

async function toContributions(
  terms: WeightedTerm[],
  ranked: RankedRecord,
  texts: RecordTexts,
): Promise<Contribution[]> {
  const hasExpansion = terms.some(({ form }) => form === undefined)
  const held = new Set(hasExpansion ? (await toEntryInSlices(texts)).terms.split(' ') : [])
  const contributions = terms.map(({ word, indexTerms, form, use, weight, isEnding }, at) => {
    const forms = form === undefined ? indexTerms.filter((term) => held.has(term)) : indexTerms
    return {
      word,
      forms,
      use,
      weight: isEnding ? 0 : weight,
      own: ranked.own[at] ?? 0,
      with_neighbours: ranked.boosted[at] ?? 0,
    }
  })
  // An ending that the record does not hold is nothing that it lacks.
  return contributions.filter(({ with_neighbours: total }, at) => total > 0 || !terms[at]?.isEnding)
}
