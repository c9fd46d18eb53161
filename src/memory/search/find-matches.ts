import { openIndex } from './index/open-index.ts'
import type { IndexHints } from './index/search-index.ts'
import { type Match, toGivenMatches } from './match.ts'
import { matchWords } from './match-words.ts'
import { findNamed } from './named.ts'
import { type QueryPostings, readPostings } from './postings.ts'
import type { SearchRequest } from './request.ts'
import { nameConflicts, putVerifiedFirst } from './verified-first.ts'
import { MIN_SHOWN, TAIL_SHARE } from './weights.ts'

/**
 * `all`: the matches from the first one to the end of the page, and one more. `page`: those of the page. Also the terms
 * and postings that found them, and what the index knows of other records.
 */
export type Matches = QueryPostings & { all: Match[]; page: Match[]; hasMore: boolean; hints?: IndexHints }

const NO_POSTINGS: QueryPostings = { terms: [], lists: [], unknown: [] }

/**
 * Finds the matches of a page, best first. Deterministic as long as the project does not change, so that pages neither
 * overlap nor leave gaps.
 */
export async function findMatches(request: SearchRequest): Promise<Matches> {
  const { offset, limit, words } = request
  if (words === undefined) return listMatches(request)
  const wanted = offset + limit + 1
  const index = await openIndex(request)
  // Concurrently, because on a database server each of these waits for round trips.
  const [named, postings, sources] = await Promise.all([
    index.hints.mayName(words.trim()) ? findNamed(request) : [],
    request.postings ?? readPostings(index, [words, ...request.also], request.budget),
    index.readSources(),
  ])
  // The record of an id is the answer, not those that mention the id.
  const isAnswered = named.length > 0 && postings.terms.some(({ compound }) => compound?.isSought)
  const missing = isAnswered ? 0 : Math.max(0, wanted - named.length)
  const found = [...named, ...(await matchWords(request, { index, postings, sources, found: named, count: missing }))]
  const all = await putVerifiedFirst(request, { postings, hints: index.hints }, found)
  // A query that names a record is no question, so its words are not reported as unknown.
  const unknown = named.length > 0 ? [] : postings.unknown
  return {
    ...postings,
    hints: index.hints,
    unknown,
    all,
    page: all.slice(offset, offset + limit),
    hasMore: all.length >= wanted,
  }
}

/**
 * The matches that an answer shows. If the caller gave no limit, its page ends after the last match that is not much
 * weaker than the best; the others are on the next page.
 */
export async function findShown(request: SearchRequest): Promise<Matches> {
  const found = await findMatches(request)
  const best = found.page[0]?.ranked?.share
  if (!request.isTrimmed || best === undefined) return found
  const last = found.page.findLastIndex(({ ranked }) => ranked === undefined || ranked.share >= TAIL_SHARE * best)
  const page = found.page.slice(0, Math.max(MIN_SHOWN, last + 1))
  return { ...found, page, hasMore: found.hasMore || page.length < found.page.length }
}

/** A page of all records that pass the filter, newest first. */
async function listMatches(request: SearchRequest): Promise<Matches> {
  const { project, filter, offset, limit } = request
  const records = await project.listLatest(filter, { offset, limit: limit + 1 })
  const all = await nameConflicts(request, await toGivenMatches(request, records))
  return { ...NO_POSTINGS, all, page: all.slice(0, limit), hasMore: all.length > limit }
}
