import type { SearchIndex } from './index/search-index.ts'
import { type Match, toGivenMatches } from './match.ts'
import { matchWords, openIndex } from './match-words.ts'
import { findNamed } from './named.ts'
import { type QueryPostings, readPostings } from './postings.ts'
import type { SearchRequest } from './request.ts'
import { nameConflicts, putVerifiedFirst } from './verified-first.ts'

/** What a request finds: the matches from the first one on up to the end of the page and one more, and the terms and postings by which they were found. */
export type Matches = QueryPostings & { all: Match[]; page: Match[]; hasMore: boolean }

const NO_POSTINGS: QueryPostings = { terms: [], lists: [], unknown: [] }

/** Finds the matches of a page, best first. The same request finds the same as long as the project does not change, and pages follow one another. */
export async function findMatches(request: SearchRequest): Promise<Matches> {
  const { offset, limit, words } = request
  if (words === undefined) return listMatches(request)
  const wanted = offset + limit + 1
  // At once: where the store is a database, each waits for it.
  const [named, { index, postings }] = await Promise.all([findNamed(request), readIndex(request, words)])
  const missing = Math.max(0, wanted - named.length)
  const found = [...named, ...(await matchWords(request, { index, postings, found: named, count: missing }))]
  const all = await putVerifiedFirst(request, postings, found)
  // The words of a name are none of a question.
  const unknown = named.length > 0 ? [] : postings.unknown
  return { ...postings, unknown, all, page: all.slice(offset, offset + limit), hasMore: all.length >= wanted }
}

async function readIndex(request: SearchRequest, words: string): Promise<{ index: SearchIndex; postings: QueryPostings }> {
  const index = await openIndex(request)
  return { index, postings: request.postings ?? (await readPostings(index, words, request.budget)) }
}

/** Every record that passes the filter, the one saved last first. */
async function listMatches(request: SearchRequest): Promise<Matches> {
  const { project, filter, offset, limit } = request
  const records = await project.listLatest(filter, { offset, limit: limit + 1 })
  const all = await nameConflicts(request, await toGivenMatches(request, records))
  return { ...NO_POSTINGS, all, page: all.slice(0, limit), hasMore: all.length > limit }
}
