import type { RecordHead, StoredRecord } from '../../store/record.ts'
import type { RecordFilter } from '../../store/record-lists.ts'
import { findStale } from '../records/freshness.ts'
import { contains, eachCandidateBlock } from './candidates.ts'
import type { SearchIndex } from './index/search-index.ts'
import type { QueryPostings } from './postings.ts'
import { type RankedRecord, rankCandidates } from './rank.ts'
import type { SearchRequest } from './request.ts'
import { MAX_NEWNESS, newnessOf, toRank, toScore } from './score.ts'
import type { RecordSources } from './sources/record-sources.ts'
import { weighSources } from './sources/source-evidence.ts'
import type { WeightedTerm } from './weigh-term.ts'

/** If at most this many records pass a selective filter, all of them are ranked. */
const MAX_SELECTED = 4_096

/** `found` are matches to leave out; `count` is the number of matches wanted. */
type Search = {
  index: SearchIndex
  postings: QueryPostings
  sources: RecordSources | undefined
  found: Match[]
  count: number
}

/**
 * The first `count` records that match the words, best first. Candidates are ranked in blocks, whose boundaries do not
 * depend on `count`; records of a later block come after those of earlier ones. So the pages of one query fit together.
 * No record has a higher score than one before it.
 */
export async function matchWords(
  request: SearchRequest,
  { index, postings, sources, found, count }: Search,
): Promise<Match[]> {
  const seen = new Set(found.map(({ record }) => record.seq))
  const matches: Match[] = []
  if (count === 0) return matches
  const evidence = weighSources(postings, sources)
  for await (const block of eachBlock(request, postings)) {
    const ranked = await rankCandidates({ index, postings, evidence }, block.seqs)
    const unseen = ranked.filter((one) => !seen.has(one.seq) && (!block.isAll || hasRareTerm(one, postings.terms)))
    const passing = await dropOthers(request, block, unseen)
    for (const { seq } of passing) seen.add(seq)
    for (const match of await readMatches({ index, request }, passing, count - matches.length))
      matches.push({ ...match, score: Math.min(match.score, matches.at(-1)?.score ?? 1) })
    if (matches.length >= count) break
  }
  return matches
}

/** Candidates that pass the filter. `isAll`: these are all records that do. */
type Block = { seqs: number[]; isAll: boolean }

/**
 * If few records pass the filter, they are one block. Otherwise candidates are checked against the filter, best first.
 */
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

/** Whether few records are likely to pass the filter. */
const isSelective = ({ sourceId, factKey, authors, savedFrom, savedUntil }: RecordFilter) =>
  [sourceId, factKey, authors, savedFrom, savedUntil].some((condition) => condition !== undefined)

/** Whether a filter has a condition beyond workspace and audiences, which the index applies by itself. */
export const isNarrowed = (filter: RecordFilter) =>
  isSelective(filter) ||
  [filter.status, filter.freshAt, filter.staleAt, filter.expiresUntil, filter.isUnmarked].some(
    (condition) => condition !== undefined,
  )

const hasRareTerm = ({ own }: RankedRecord, terms: WeightedTerm[]) =>
  terms.some(({ use }, at) => use === 'rare' && (own[at] ?? 0) > 0)

/** Removes records that do not pass the filter: ranking adds neighbours of the candidates, which were not checked. */
async function dropOthers(
  { project, filter }: SearchRequest,
  block: Block,
  ranked: RankedRecord[],
): Promise<RankedRecord[]> {
  if (!isNarrowed(filter)) return ranked
  const passing = new Set(block.seqs)
  const others = ranked.map(({ seq }) => seq).filter((seq) => !passing.has(seq))
  if (others.length > 0 && !block.isAll) for (const seq of await project.filterRecords(filter, others)) passing.add(seq)
  return ranked.filter(({ seq }) => passing.has(seq))
}

/** What raises a rank most. */
const NEWEST = { newness: MAX_NEWNESS, isStale: false }

type Reading = { index: SearchIndex; request: SearchRequest }

/** Reads ranked records in batches, best first, until no further record can be among the first `count`. */
async function readMatches(reading: Reading, ranked: RankedRecord[], count: number): Promise<Match[]> {
  const { index, request } = reading
  const batchSize = request.limit + 1
  const matches: (Match & { rank: number })[] = []
  for (let at = 0; at < ranked.length; at += batchSize) {
    const part = ranked.slice(at, at + batchSize)
    const records = await readRecords(reading, part)
    const stale = await findStale(index, request.visible, [...records.values()], request.now)
    for (const one of part) {
      const record = records.get(one.seq)
      if (record === undefined) continue
      const isStale = stale.has(record.id)
      const circumstances = { newness: newnessOf(record, request.now), isStale }
      const [rank, score] = [toRank(one.share, circumstances), toScore(one.covered, circumstances)]
      matches.push({ record, stale: isStale, ranked: one, rank, score })
    }
    matches.sort((a, b) => b.rank - a.rank || b.record.seq - a.record.seq)
    const next = ranked[at + batchSize]
    const last = matches[count - 1]
    if (next === undefined || (last !== undefined && last.rank >= toRank(next.share, NEWEST))) break
  }
  return matches.slice(0, count)
}

/** Records by number: with contents for the first page, otherwise without, since only those of the page need them. */
async function readRecords({ index, request }: Reading, ranked: RankedRecord[]): Promise<Map<number, RecordHead>> {
  const { project, searched, workspaceId, filter, offset } = request
  const all = ranked.map(({ seq }) => seq)
  // The index of all workspaces still contains records of removed ones.
  const seqs = workspaceId === undefined ? await project.filterRecords(filter, all) : all
  const records = offset === 0 ? await index.readRecords(seqs) : await project.findHeadsBySeq(searched, seqs)
  return new Map(records.map((record) => [record.seq, record]))
}

/**
 * A record of the answer. `score` is in (0, 1], or 0 for a verified record that was put before a contradicting last
 * match although no word found it. `ranked` is set if words found the record. `conflictsWith` has the ids of verified
 * records that it contradicts.
 */
export type Match = {
  record: RecordHead
  score: number
  stale: boolean
  ranked?: RankedRecord
  conflictsWith?: string[]
}

/** A match whose content was read. */
export type WholeMatch = Match & { record: StoredRecord }

/** The score of records that were not found by words: they were named, or listed. */
const GIVEN_SCORE = 1

/** Records that were named or listed, as matches in the same order. */
export async function toGivenMatches(
  { project, visible, now }: SearchRequest,
  records: RecordHead[],
): Promise<Match[]> {
  const stale = await findStale(project, visible, records, now)
  return records.map((record) => ({ record, score: GIVEN_SCORE, stale: stale.has(record.id) }))
}

/** Contents of 64 KiB take half a millisecond each to be read. */
const RECORDS_AT_A_TIME = 10

/** The matches with their contents, without those whose record was forgotten meanwhile. */
export async function readContents({ project, visible }: SearchRequest, matches: Match[]): Promise<WholeMatch[]> {
  const unread = matches.filter(({ record }) => !isWhole(record)).map(({ record }) => record.seq)
  const read: StoredRecord[] = []
  for (let at = 0; at < unread.length; at += RECORDS_AT_A_TIME) {
    read.push(...(await project.findRecordsBySeq(visible, unread.slice(at, at + RECORDS_AT_A_TIME))))
  }
  const contents = new Map(read.map((record) => [record.seq, record]))
  return matches.flatMap((match) => {
    const record = isWhole(match.record) ? match.record : contents.get(match.record.seq)
    return record === undefined ? [] : [{ ...match, record }]
  })
}

const isWhole = (record: RecordHead | StoredRecord): record is StoredRecord => 'content' in record
