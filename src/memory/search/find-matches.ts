import { createInMemoryIndex } from './index/in-memory-index.ts'
import type { IndexHints, SearchIndex } from './index/search-index.ts'
import { createStoredIndex, readFacts } from './index/stored-index.ts'
import { type Match, matchWords, toGivenMatches } from './match-words.ts'
import { type QueryPostings, readPostings } from './postings.ts'
import { MAX_LIMIT, MAX_WORDS_OFFSET, type SearchRequest } from './request.ts'
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

/** Longest name of a source, in UTF-16 units: 512 characters of two. */
const MAX_NAME_LENGTH = 1_024
/**
 * Maximum number of records that a query names: those of all pages, and one more to tell whether there are further
 * ones.
 */
const MAX_NAMED = MAX_WORDS_OFFSET + MAX_LIMIT + 1

/**
 * Records named by the query: it is their id, their fact key, their source, or the end of their source's path. Fresh
 * ones before stale ones, each newest first.
 */
async function findNamed(request: SearchRequest): Promise<Match[]> {
  const { project, filter, words } = request
  const named = words?.trim() ?? ''
  if (named === '' || named.length > MAX_NAME_LENGTH) return []
  const selected = await project.selectLatest({ ...filter, named }, MAX_NAMED)
  if (selected === undefined || selected.seqs.length === 0) return []
  const heads = new Map((await project.findHeadsBySeq(filter.visible, selected.seqs)).map((head) => [head.seq, head]))
  const records = selected.seqs.map((seq) => heads.get(seq)).filter((head) => head !== undefined)
  const matches = await toGivenMatches(request, records)
  return [...matches.filter(({ stale }) => !stale), ...matches.filter(({ stale }) => stale)]
}

/**
 * The index of the searched part of a project: built in memory for a small project, otherwise a view of the index that
 * the store keeps.
 */
async function openIndex({
  project,
  projectId,
  searched,
  workspaceId,
  dataVersion,
  caches,
}: SearchRequest): Promise<SearchIndex> {
  const state = `${dataVersion} ${workspaceId} ${searched?.join(' ')}`
  const cached = caches.indexes.get(state)
  if (cached !== undefined) return cached
  const known = caches.facts.get(state)
  // Facts that are known are of a larger project. Otherwise at once, because on a database server each is a round trip.
  const [facts, records] = await Promise.all([
    known ?? readFacts(project, searched, workspaceId),
    known === undefined ? project.listSmallProject(caches.indexes.maxRecords) : undefined,
  ])
  if (records === undefined) {
    caches.facts.set(state, facts)
    return createStoredIndex({ project, projectId, workspaceId, facts, sources: caches.sources, state })
  }
  const { languages } = facts
  const index = await createInMemoryIndex(records, { project, visible: searched, workspaceId, languages })
  caches.indexes.set(state, index)
  return index
}
