import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'
import { analyzeInSlices } from '../../text/analyzer.ts'
import { findStale } from '../records/freshness.ts'
import { type SearchBudget, selectCandidates } from './candidates.ts'
import { createInMemoryIndex, type InMemoryIndexCache, MAX_IN_MEMORY_RECORDS } from './in-memory-index.ts'
import { type QueryPostings, readPostings, type WeightedTerm } from './postings.ts'
import { type RankedRecord, rankCandidates } from './rank.ts'
import { type TermScores, toScore } from './score.ts'
import type { SearchIndex } from './search-index.ts'
import { createStoredIndex } from './stored-index.ts'
import type { TokenCache } from './token-cache.ts'

/** A query with all that its answer depends on. */
export type SearchRequest = {
  project: ProjectStore
  /** Names the project and its state: a cache key for what is read after it. */
  dataVersion: string
  caches: { indexes: InMemoryIndexCache; tokens: TokenCache }
  /** What the caller may see. Staleness is judged by it. */
  visible: Visible
  /** The audiences that are searched, of those that are visible. */
  searched: Visible
  workspaceId: number
  query: string
  /** The postings of the query, where they were read for the same workspace and audiences before. */
  postings?: QueryPostings | undefined
  limit: number
  excludeStale: boolean
  /** Only records of this status; undefined for any. */
  status: StoredRecord['status'] | undefined
  /** Milliseconds since 1970. */
  now: number
  /** What the whole call may still do. */
  budget: SearchBudget
}

/** A record of the answer. `score` is above 0 and below 1, and halved where the record is stale. */
export type Match = { record: StoredRecord; score: number; stale: boolean; ranked: RankedRecord }

/** The matches, best first, and the terms and postings by which they were found. */
export type Matches = QueryPostings & { matches: Match[] }

/** Candidates that are ranked at first. 100 and their neighbours give the same quality as all. */
const MIN_CANDIDATES = 100
/** Where they give fewer matches than wanted, so many times more are ranked, up to `MAX_CANDIDATES`. */
const WIDENING_FACTOR = 8
const MAX_CANDIDATES = 6_400
/** A stale record comes after every fresh one of the same relevance. */
const STALE_FACTOR = 0.5

/** Finds at most `limit` records, best first. The same request gives the same matches as long as the project does not change. */
export async function findMatches(request: SearchRequest): Promise<Matches> {
  const { limit, budget } = request
  const index = await openIndex(request)
  const postings = request.postings ?? (await readPostings(index, request.query, budget))
  for (let count = MIN_CANDIDATES; ; count *= WIDENING_FACTOR) {
    const { seqs, isComplete } = await selectCandidates(request, postings.lists, count, limit)
    const ranked = await rankCandidates(index, postings, seqs)
    const matches = await readMatches({ index, terms: postings.terms, request }, ranked)
    const isLast = isComplete || count >= MAX_CANDIDATES || budget.filteredCandidates <= 0
    if (matches.length >= limit || isLast) return { ...postings, matches }
  }
}

/** The whole of a small project is read and kept in memory; a larger one is searched by the index that the store has. */
async function openIndex({ project, searched, workspaceId, dataVersion, caches }: SearchRequest): Promise<SearchIndex> {
  const key = `${dataVersion} ${workspaceId} ${searched?.join(' ')}`
  const cached = caches.indexes.get(key)
  if (cached !== undefined) return cached
  const records = await project.listSmallProject(MAX_IN_MEMORY_RECORDS)
  if (records === undefined) return createStoredIndex({ project, visible: searched, workspaceId, tokens: caches.tokens.at(key) })
  const languages = await project.readLanguages(searched, workspaceId)
  const index = await createInMemoryIndex(records, { visible: searched, workspaceId, languages })
  caches.indexes.set(key, index)
  return index
}

type Reading = { index: SearchIndex; terms: WeightedTerm[]; request: SearchRequest }

/** Reads ranked records `limit` at a time, the best first, until none of the rest could be among the first `limit`. */
async function readMatches(reading: Reading, ranked: RankedRecord[]): Promise<Match[]> {
  const { index, terms, request } = reading
  const { limit } = request
  const matches: Match[] = []
  for (let at = 0; at < ranked.length; at += limit) {
    const part = ranked.slice(at, at + limit)
    const records = new Map((await index.readRecords(part.map(({ seq }) => seq))).map((record) => [record.seq, record]))
    const stale = await findStale(request.project, request.visible, [...records.values()], request.now)
    for (const one of part) {
      const due = yieldIfDue()
      if (due !== undefined) await due
      const match = await toMatch(reading, one, records.get(one.seq), stale)
      if (match !== undefined) matches.push(match)
    }
    matches.sort((a, b) => b.score - a.score || b.record.seq - a.record.seq)
    const next = ranked[at + limit]
    const last = matches[limit - 1]
    if (next === undefined || (last !== undefined && last.score >= toScore(next.sum, terms))) break
  }
  return matches.slice(0, limit)
}

/** Undefined for a record that is gone meanwhile, does not hold the terms after all, or is filtered out. */
async function toMatch(
  reading: Reading,
  ranked: RankedRecord,
  record: StoredRecord | undefined,
  staleIds: Set<string>,
): Promise<Match | undefined> {
  const { index, terms, request } = reading
  if (record === undefined || (request.status !== undefined && record.status !== request.status)) return undefined
  if (!index.hasExactPostings && !(await holdsMatched(record.content, ranked.own, terms))) return undefined
  const stale = staleIds.has(record.id)
  if (stale && request.excludeStale) return undefined
  return { record, stale, ranked, score: toScore(ranked.sum, terms) * (stale ? STALE_FACTOR : 1) }
}

/** Whether a text holds any of the rare terms for which it was scored: its codes may be those of other terms. Analyzes it only where its letters do not tell. */
async function holdsMatched(content: string, scores: TermScores, terms: WeightedTerm[]): Promise<boolean> {
  const scored = terms.filter(({ use }, at) => use === 'rare' && scores[at] !== 0)
  if (scored.length === 0) return true
  const lowerCase = content.toLowerCase()
  if (scored.some(({ word, indexTerms }) => [word, ...indexTerms].some((text) => lowerCase.includes(text)))) return true
  const held = new Set((await analyzeInSlices(content)).terms.split(' '))
  return scored.some(({ indexTerms }) => indexTerms.some((term) => held.has(term)))
}
