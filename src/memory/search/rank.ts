import { yieldIfDue } from '../../cooperative.ts'
import { contains } from './candidates.ts'
import { createCompoundWeigher } from './compounds.ts'
import { LONG_RECORD_TOKENS, type SearchIndex } from './index/search-index.ts'
import type { QueryPostings, TermPostings } from './postings.ts'
import { combineShares, countOthers, createCover, createScorer, createSharesOf, type TermScores } from './score.ts'
import type { SourceEvidence } from './sources/source-evidence.ts'
import { AFTER_SHARES, BEFORE_SHARES } from './weights.ts'

/**
 * A scored record: its own term scores, the scores boosted by its neighbours, the evidence of its source, the share
 * of what is sought that it holds by the latter two, by which it is ranked, and the share that it covers, by which it is
 * scored.
 */
export type RankedRecord = {
  seq: number
  own: TermScores
  boosted: TermScores
  source: number
  share: number
  covered: number
}

/** Number of best records whose neighbours are read. */
const MAX_BOOSTED_RECORDS = 20
/** Number of best records whose neighbours are scored even if these hold no rare term. */
const MAX_FULLY_SCORED = 10

/**
 * Bounds of a batch that is read at once, in records and in words (estimated by the batch before): at most some
 * milliseconds.
 */
const FIRST_BATCH_RECORDS = 32
const MAX_BATCH_RECORDS = 100
const MAX_BATCH_WORDS = 1 << 16

/** What a search ranks by: the index, the postings of the query, and the evidence of the sources. */
type Ranking = { index: SearchIndex; postings: QueryPostings; evidence: SourceEvidence }

/**
 * Scores candidates and the neighbours of the best of them by all terms of the query, and by their sources. Returns
 * those that match, best first.
 */
export async function rankCandidates(
  { index, postings, evidence }: Ranking,
  candidates: number[],
): Promise<RankedRecord[]> {
  const { terms, lists } = postings
  const averageLength = index.totalLength / index.records
  const score = createScorer(terms, averageLength)
  const weighCompounds = createCompoundWeigher(terms)
  const sharesOf = createSharesOf(terms)
  const others = countOthers(postings)
  const cover = createCover(terms)
  const shareOf = (scores: TermScores) => combineShares(sharesOf(scores), others)
  const own = new Map<number, TermScores>()
  const scoreAll = async (seqs: number[]) => {
    let size = FIRST_BATCH_RECORDS
    for (let at = 0; at < seqs.length; ) {
      const records = await index.readTokens(seqs.slice(at, at + size))
      at += size
      await yieldIfDue()
      let words = 1
      for (const [seq, record] of records) {
        words += record.codes.length
        if (record.codes.length > LONG_RECORD_TOKENS) await yieldIfDue()
        own.set(seq, weighCompounds(withoutCollisions(score(record), seq, lists), record))
      }
      size = Math.min(MAX_BATCH_RECORDS, Math.ceil((MAX_BATCH_WORDS / words) * records.size))
    }
  }
  await scoreAll(candidates)
  const groups = await readNeighbourGroups(index, bestOf(own, shareOf))
  const fullyScored = new Set(groups.slice(0, MAX_FULLY_SCORED).flat())
  const isScored = (seq: number) => fullyScored.has(seq) || lists.some(({ seqs }) => contains(seqs, seq))
  await scoreAll([...new Set(groups.flat())].filter((seq) => !own.has(seq) && isScored(seq)))
  return boostAll({ own, groups, evidence, shareOf, coveredOf: (scores) => shareOf(cover(scores)) })
}

/** Clears, in place, the scores of terms that the record does not hold, where another word of it has the same code. */
function withoutCollisions(scores: TermScores, seq: number, lists: TermPostings[]): TermScores {
  lists.forEach(({ seqs, isComplete }, at) => {
    if (isComplete && scores[at] !== 0 && !contains(seqs, seq)) scores[at] = 0
  })
  return scores
}

/** Numbers of the best records by their own scores. */
function bestOf(own: Map<number, TermScores>, shareOf: ShareOf): number[] {
  const shares = [...own].map(([seq, scores]) => ({ seq, share: shareOf(scores) })).sort(byShare)
  return shares.slice(0, MAX_BOOSTED_RECORDS).map(({ seq }) => seq)
}

/** Each record that has a source, between its neighbours, in the order of saving. */
async function readNeighbourGroups(index: SearchIndex, seqs: number[]): Promise<number[][]> {
  if (seqs.length === 0) return []
  const found = new Map((await index.findNeighbours(seqs)).map((neighbours) => [neighbours.seq, neighbours]))
  const known = seqs.map((seq) => found.get(seq)).filter((neighbours) => neighbours !== undefined)
  return known.map(({ seq, before, after }) => [...before.toReversed(), seq, ...after])
}

type ShareOf = (scores: TermScores) => number

type Boosting = {
  own: Map<number, TermScores>
  groups: number[][]
  evidence: SourceEvidence
  shareOf: ShareOf
  coveredOf: ShareOf
}

/**
 * Every record that matches by itself, with its highest boost over the groups it is in and the evidence of its source,
 * best first.
 */
function boostAll({ own, groups, evidence, shareOf, coveredOf }: Boosting): RankedRecord[] {
  const boosted = new Map<number, TermScores>()
  for (const group of groups) {
    const scores = group.map((seq) => own.get(seq))
    group.forEach((seq, at) => {
      const present = boosted.get(seq) ?? own.get(seq)
      if (present === undefined) return
      boosted.set(
        seq,
        neighbourBoost(present, { before: [scores[at - 1], scores[at - 2]], after: [scores[at + 1], scores[at + 2]] }),
      )
    })
  }
  const ranked: RankedRecord[] = []
  for (const [seq, scores] of own) {
    if (shareOf(scores) <= 0) continue
    const best = boosted.get(seq) ?? scores
    const source = evidence(seq)
    ranked.push({ seq, own: scores, boosted: best, source, share: shareOf(best) + source, covered: coveredOf(best) })
  }
  return ranked.sort(byShare)
}

function byShare(a: { seq: number; share: number }, b: { seq: number; share: number }): number {
  return b.share - a.share || b.seq - a.seq
}

/** Term scores of a record's neighbours, nearest first; undefined if there is none. */
type NeighbourScores = { before: (TermScores | undefined)[]; after: (TermScores | undefined)[] }

/**
 * For each term, the maximum of the record's own score and its shares of the neighbours' scores. Does not change its
 * arguments.
 */
export function neighbourBoost(own: TermScores, { before, after }: NeighbourScores): TermScores {
  if (before[0] === undefined && after[0] === undefined && before[1] === undefined && after[1] === undefined) return own
  const boosted = own.slice()
  for (let at = 0; at < BEFORE_SHARES.length; at++) raiseTo(boosted, before[at], BEFORE_SHARES[at] ?? 0)
  for (let at = 0; at < AFTER_SHARES.length; at++) raiseTo(boosted, after[at], AFTER_SHARES[at] ?? 0)
  return boosted
}

function raiseTo(boosted: TermScores, neighbour: TermScores | undefined, share: number): void {
  if (neighbour === undefined) return
  for (let term = 0; term < boosted.length; term++)
    boosted[term] = Math.max(boosted[term] ?? 0, share * (neighbour[term] ?? 0))
}
