import type { Caller } from '../../account/auth/caller.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { analyze } from '../../text/analyzer.ts'
import type { MemoryRecord } from '../records/record.ts'
import { findMatches } from './find-matches.ts'
import { readContents } from './match.ts'
import type { WeightedTerm } from './postings.ts'
import type { RankedRecord } from './rank.ts'
import { type SearchArguments, type SearchRequest, toRequest } from './request.ts'
import { toFoundRecords } from './results.ts'
import { createSharesOf, wholeWeight } from './score.ts'
import { type Beside, readDataVersion, type SearchContext, toBeside } from './search.ts'

/** What one word of the query contributes to one record, in the unit of term weights; the score is computed from their sum. */
type Contribution = {
  word: string
  /** Its stems. For a word that no record holds: those of the terms searched for in its place that this record holds. */
  forms: string[]
  /** `rare` words find records, `weak` ones (stop words) and `single` ones (characters) only add to the score of those that others find. */
  use: string
  /** Contribution of one match in a text of average length. */
  weight: number
  own: number
  /** Contribution including the boost by records of the same source that were saved next to this one. */
  with_neighbours: number
}

/**
 * A found record, with the contribution of each word of the query and its other wordings, and that of its source as a whole, in the same unit; and with the
 * wording that found it best, if there are several.
 */
export type Explained = MemoryRecord & { terms: Contribution[]; source_evidence: number; wording?: string }

/** The answer of `searchMemory`, with the contributions of each word and of the source to each record. Throws as `searchMemory` does. */
export async function explainSearch(ctx: SearchContext, caller: Caller, args: SearchArguments): Promise<{ result: Explained[] } & Beside> {
  const request = await toRequest(ctx, caller, args, await readDataVersion(ctx, caller))
  const found = await findMatches(request)
  const records = await toFoundRecords(ctx, request, found)
  const contents = new Map(
    (await readContents(request, found.page)).map(({ record, ranked }) => [record.id, { ranked, content: record.content }]),
  )
  const result: Explained[] = []
  for (const record of records) {
    await yieldIfDue()
    const { ranked, content } = contents.get(record.id) ?? { ranked: undefined, content: record.content }
    result.push({ ...record, ...(ranked === undefined ? UNRANKED : explainRanked(request, found.terms, ranked, content)) })
  }
  return { result, ...(await toBeside(request, found)) }
}

type Explanation = Pick<Explained, 'terms' | 'source_evidence' | 'wording'>

/** Of a record that was named or listed. */
const UNRANKED: Explanation = { terms: [], source_evidence: 0 }

function explainRanked({ words = '', also }: SearchRequest, terms: WeightedTerm[], ranked: RankedRecord, content: string): Explanation {
  const shares = createSharesOf(terms)(ranked.boosted)
  const wording = [words, ...also][shares.indexOf(Math.max(...shares))]
  return {
    terms: toContributions(terms, ranked, content),
    source_evidence: ranked.source * wholeWeight(terms, 0),
    ...(also.length > 0 && wording !== undefined && { wording }),
  }
}

function toContributions(terms: WeightedTerm[], ranked: RankedRecord, content: string): Contribution[] {
  const hasExpansion = terms.some(({ form }) => form === undefined)
  const held = new Set(hasExpansion ? analyze(content).terms.split(' ') : [])
  return terms.map(({ word, indexTerms, form, use, weight }, at) => {
    const forms = form === undefined ? indexTerms.filter((term) => held.has(term)) : indexTerms
    return { word, forms, use, weight, own: ranked.own[at] ?? 0, with_neighbours: ranked.boosted[at] ?? 0 }
  })
}
