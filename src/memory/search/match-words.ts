import { yieldIfDue } from '../../cooperative.ts'
import type { RecordHead, StoredRecord } from '../../store/record.ts'
import type { RecordFilter } from '../../store/record-lists.ts'
import { analyzeInSlices } from '../../text/analyzer.ts'
import { findStale } from '../records/freshness.ts'
import { eachCandidateBlock } from './candidates.ts'
import { createInMemoryIndex, MAX_IN_MEMORY_RECORDS } from './index/in-memory-index.ts'
import type { SearchIndex } from './index/search-index.ts'
import { createStoredIndex } from './index/stored-index.ts'
import type { Match } from './match.ts'
import type { QueryPostings, WeightedTerm } from './postings.ts'
import { contains, type RankedRecord, rankCandidates } from './rank.ts'
import type { SearchRequest } from './request.ts'
import { type TermScores, toScore } from './score.ts'
import { weighSources } from './sources/source-evidence.ts'

/** A stale record comes after every fresh one of the same relevance. */
const STALE_FACTOR = 0.5
/** Most records that pass a filter which are all ranked. */
const MAX_SELECTED = 4_096

/** The index of what is searched. The whole of a small project is read and kept in memory; a larger one is searched by the index that the store has. */
export async function openIndex({ project, projectId, searched, workspaceId, dataVersion, caches }: SearchRequest): Promise<SearchIndex> {
  const key = `${dataVersion} ${workspaceId} ${searched?.join(' ')}`
  const cached = caches.indexes.get(key)
  if (cached !== undefined) return cached
  // Of a part whose facts are known, the project was not small.
  const records = caches.facts.get(key) === undefined ? await project.listSmallProject(MAX_IN_MEMORY_RECORDS) : undefined
  if (records === undefined) {
    const { facts, sources } = caches
    return createStoredIndex({
      project,
      projectId,
      visible: searched,
      workspaceId,
      tokens: caches.tokens.at(key),
      facts,
      sources,
      state: key,
    })
  }
  const languages = await project.readLanguages(searched, workspaceId)
  const index = await createInMemoryIndex(records, { visible: searched, workspaceId, languages })
  caches.indexes.set(key, index)
  return index
}

/** `found` are left out; `count` is how many matches are wanted. */
type Search = { index: SearchIndex; postings: QueryPostings; found: Match[]; count: number }

/**
 * The first `count` records that match the words, best first. Candidates are ranked in blocks, which follow one another whatever `count` is: a record of a
 * later block comes after those of the earlier ones, and has no larger score.
 */
export async function matchWords(request: SearchRequest, { index, postings, found, count }: Search): Promise<Match[]> {
  const seen = new Set(found.map(({ record }) => record.seq))
  const matches: Match[] = []
  if (count === 0) return matches
  const evidence = weighSources(postings, await index.readSources())
  for await (const block of eachBlock(request, postings)) {
    const ranked = await rankCandidates({ index, postings, evidence }, block.seqs)
    const unseen = ranked.filter((one) => !seen.has(one.seq) && (!block.isAll || hasRareTerm(one, postings.terms)))
    const passing = await dropOthers(request, block, unseen)
    for (const { seq } of passing) seen.add(seq)
    const most = matches.at(-1)?.score ?? 1
    const part = await readMatches({ index, terms: postings.terms, request }, passing, count - matches.length)
    matches.push(...part.map((match) => ({ ...match, score: Math.min(match.score, most) })))
    if (matches.length >= count) break
  }
  return matches
}

/** Candidates that pass the filter. `isAll` where no other record does. */
type Block = { seqs: number[]; isAll: boolean }

/** Where few records pass the filter they are one block. Otherwise candidates are held to it from the best down. */
async function* eachBlock({ project, filter, budget }: SearchRequest, { lists }: QueryPostings): AsyncGenerator<Block> {
  const selected = isSelective(filter) ? await project.selectLatest(filter, MAX_SELECTED) : undefined
  if (selected?.isComplete) {
    const isCut = lists.some(({ seqs, isComplete }) => seqs.length > 0 && !isComplete)
    const isHeld = (seq: number) => isCut || lists.some(({ seqs }) => contains(seqs, seq))
    yield { seqs: selected.seqs.filter(isHeld), isAll: true }
    return
  }
  const pass = isNarrowed(filter) ? (seqs: number[]) => project.filterRecords(filter, seqs) : undefined
  for await (const seqs of eachCandidateBlock(lists, pass, budget)) yield { seqs, isAll: false }
}

/** Whether few records are likely to pass. */
const isSelective = ({ sourceId, factKey, authors, savedFrom, savedUntil }: RecordFilter) =>
  [sourceId, factKey, authors, savedFrom, savedUntil].some((condition) => condition !== undefined)

/** Whether a filter narrows more than workspace and audiences, by which the index is narrowed. */
export const isNarrowed = (filter: RecordFilter) =>
  isSelective(filter) || [filter.status, filter.freshAt, filter.staleAt, filter.expiresUntil].some((condition) => condition !== undefined)

const hasRareTerm = ({ own }: RankedRecord, terms: WeightedTerm[]) => terms.some(({ use }, at) => use === 'rare' && (own[at] ?? 0) > 0)

/** Ranking adds neighbours of the candidates, which may not pass the filter. */
async function dropOthers({ project, filter }: SearchRequest, block: Block, ranked: RankedRecord[]): Promise<RankedRecord[]> {
  if (!isNarrowed(filter)) return ranked
  const passing = new Set(block.seqs)
  const others = ranked.map(({ seq }) => seq).filter((seq) => !passing.has(seq))
  if (others.length > 0 && !block.isAll) for (const seq of await project.filterRecords(filter, others)) passing.add(seq)
  return ranked.filter(({ seq }) => passing.has(seq))
}

type Reading = { index: SearchIndex; terms: WeightedTerm[]; request: SearchRequest }

/** Reads ranked records in batches, the best first, until none of the rest could be among the first `count`. */
async function readMatches(reading: Reading, ranked: RankedRecord[], count: number): Promise<Match[]> {
  const { terms, request } = reading
  const batchSize = request.limit + 1
  const matches: Match[] = []
  for (let at = 0; at < ranked.length; at += batchSize) {
    const part = ranked.slice(at, at + batchSize)
    const records = await readRecords(reading, part)
    const stale = await findStale(request.project, request.visible, [...records.values()], request.now)
    await yieldIfDue()
    for (const one of part) {
      const record = records.get(one.seq)
      if (record === undefined || !(await isConfirmed(reading, record, one))) continue
      const isStale = stale.has(record.id)
      matches.push({ record, stale: isStale, ranked: one, score: toScore(one.sum, terms) * (isStale ? STALE_FACTOR : 1) })
    }
    matches.sort((a, b) => b.score - a.score || b.record.seq - a.record.seq)
    const next = ranked[at + batchSize]
    const last = matches[count - 1]
    if (next === undefined || (last !== undefined && last.score >= toScore(next.sum, terms))) break
  }
  return matches.slice(0, count)
}

/** Records by number: whole where the page begins with the first of them, and else without contents, which only those of the page need. */
async function readRecords({ index, request }: Reading, ranked: RankedRecord[]): Promise<Map<number, RecordHead>> {
  const { project, searched, workspaceId, filter, offset } = request
  const all = ranked.map(({ seq }) => seq)
  // The index of every workspace has what is left of removed ones, too.
  const seqs = workspaceId === undefined ? await project.filterRecords(filter, all) : all
  const isWhole = offset === 0 || !index.hasExactPostings
  const records = isWhole ? await index.readRecords(seqs) : await project.findHeadsBySeq(searched, seqs)
  return new Map(records.map((record) => [record.seq, record]))
}

/** Whether a record that was found by codes, which two terms can share, holds a term. */
async function isConfirmed({ index, terms }: Reading, record: RecordHead | StoredRecord, { own }: RankedRecord): Promise<boolean> {
  return index.hasExactPostings || !('content' in record) || holdsMatched(record.content, own, terms)
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
