import type { Conflict, RecordHead } from '../../store/record.ts'
import { type Match, toGivenMatches } from './match.ts'
import type { QueryPostings } from './postings.ts'
import { contains } from './rank.ts'
import type { SearchRequest } from './request.ts'

/** Contradictions of some matches with verified records, and the records on both sides of them. */
type Contradictions = { pairs: Conflict[]; heads: Map<number, RecordHead> }

/**
 * Names, on each match that contradicts verified records, the ids of those. Matches without a given fact key contradict nothing.
 */
export async function nameConflicts(request: SearchRequest, matches: Match[]): Promise<Match[]> {
  return withConflicts(matches, await readContradictions(request, matches))
}

/**
 * Puts a verified record right before what contradicts it: where either of them matches, at the place of the better one. A verified record is brought in even where
 * its words do not match, as far as it passes the filter. Depends on no page: what is before a match decides nothing about it that is behind.
 */
export async function putVerifiedFirst(request: SearchRequest, { lists }: QueryPostings, matches: Match[]): Promise<Match[]> {
  const contradictions = await readContradictions(request, matches)
  if (contradictions.pairs.length === 0) return matches
  const present = new Map(matches.map((match) => [match.record.seq, match]))
  const missing = [...contradictions.heads.values()].filter(({ seq }) => !present.has(seq))
  const holdsWord = ({ seq }: RecordHead) => lists.some(({ seqs }) => contains(seqs, seq))
  const wanted = missing.filter((head) => head.status === 'verified' || holdsWord(head))
  for (const match of await readPassing(request, wanted)) present.set(match.record.seq, match)
  return withConflicts(toFallingScores(arrange(matches, present, contradictions.pairs)), contradictions)
}

/** Only verified records and those with a given fact key are looked up. */
async function readContradictions({ project, visible }: SearchRequest, matches: Match[]): Promise<Contradictions> {
  const records = matches.map(({ record }) => record)
  const stated = records.filter(({ status, factKeyGiven }) => status === 'verified' || (factKeyGiven && status === 'unverified'))
  const pairs = stated.length === 0 ? [] : await project.listContradictions(stated.map(({ seq }) => seq))
  const seqs = [...new Set(pairs.flatMap(({ verified, other }) => [verified, other]))]
  const heads = seqs.length === 0 ? [] : await project.findHeadsBySeq(visible, seqs)
  return { pairs, heads: new Map(heads.map((head) => [head.seq, head])) }
}

/** Records that words did not find, or not on this page, as matches without a score of their own. */
async function readPassing(request: SearchRequest, heads: RecordHead[]): Promise<Match[]> {
  if (heads.length === 0) return []
  const passing = new Set(
    await request.project.filterRecords(
      request.filter,
      heads.map(({ seq }) => seq),
    ),
  )
  const matches = await toGivenMatches(
    request,
    heads.filter(({ seq }) => passing.has(seq)),
  )
  return matches.map((match) => ({ ...match, score: 0 }))
}

/** The matches with each dispute in one place, that of its best match: first its verified records, then the others. Time is linear in the pairs. */
function arrange(matches: Match[], present: Map<number, Match>, pairs: Conflict[]): Match[] {
  const movable = pairs.filter(({ verified, other }) => present.has(verified) && present.get(other)?.record.status === 'unverified')
  const verifiedOf = Map.groupBy(movable, ({ other }) => other)
  const othersOf = Map.groupBy(movable, ({ verified }) => verified)
  const order = new Map(matches.map(({ record }, at) => [record.seq, at]))
  const placeOf = ({ record }: Match) => order.get(record.seq) ?? matches.length

  /** The match, and all matches that contradict it, or one that contradicts it, and so on. */
  function disputeOf(match: Match): Match[] {
    const seqs = new Set([match.record.seq])
    // Reaches what is added meanwhile too.
    for (const seq of seqs) {
      for (const { verified } of verifiedOf.get(seq) ?? []) seqs.add(verified)
      for (const { other } of othersOf.get(seq) ?? []) seqs.add(other)
    }
    return [...seqs].flatMap((seq) => present.get(seq) ?? [])
  }

  const isBehind = ({ record }: Match) => (record.status === 'verified' ? 0 : 1)
  const placed = new Set<Match>()
  for (const match of matches) {
    if (placed.has(match)) continue
    for (const one of disputeOf(match).sort((a, b) => isBehind(a) - isBehind(b) || placeOf(a) - placeOf(b))) placed.add(one)
  }
  return [...placed]
}

/** Raises the score of a match that was moved up to that of the next one. */
function toFallingScores(matches: Match[]): Match[] {
  let least = 0
  return matches
    .toReversed()
    .map((match) => {
      least = Math.max(least, match.score)
      return { ...match, score: least }
    })
    .reverse()
}

function withConflicts(matches: Match[], { pairs, heads }: Contradictions): Match[] {
  if (pairs.length === 0) return matches
  const verifiedOf = Map.groupBy(pairs, ({ other }) => other)
  return matches.map((match) => {
    const against = (verifiedOf.get(match.record.seq) ?? []).flatMap(({ verified }) => heads.get(verified)?.id ?? [])
    return against.length === 0 ? match : { ...match, conflictsWith: [...new Set(against)] }
  })
}
