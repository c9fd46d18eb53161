import type { Conflict, RecordHead } from '../../store/record.ts'
import { contains } from './candidates.ts'
import type { IndexHints } from './index/search-index.ts'
import { type Match, toGivenMatches } from './match-words.ts'
import type { QueryPostings } from './postings.ts'
import type { SearchRequest } from './request.ts'

/** Contradictions between some matches and verified records, and the records on both sides. */
type Contradictions = { pairs: Conflict[]; heads: Map<number, RecordHead> }

/**
 * Adds to each match the ids of the verified records that it contradicts. Matches without a given fact key contradict
 * nothing.
 */
export async function nameConflicts(request: SearchRequest, matches: Match[]): Promise<Match[]> {
  return withConflicts(matches, await readContradictions(request, matches))
}

/**
 * Puts each verified record right before the records that contradict it, at the position of the best match among them.
 * A verified record that passes the filter is inserted even if its words do not match. The result for a match does not
 * depend on later matches, so pages fit together.
 */
export async function putVerifiedFirst(
  request: SearchRequest,
  { postings: { lists }, hints }: { postings: QueryPostings; hints: IndexHints },
  matches: Match[],
): Promise<Match[]> {
  const contradictions = await readContradictions(request, matches, hints.mayDispute)
  if (contradictions.pairs.length === 0) return matches
  const present = new Map(matches.map((match) => [match.record.seq, match]))
  const missing = [...contradictions.heads.values()].filter(({ seq }) => !present.has(seq))
  const holdsWord = ({ seq }: RecordHead) => lists.some(({ seqs }) => contains(seqs, seq))
  const wanted = missing.filter((head) => head.status === 'verified' || holdsWord(head))
  for (const match of await readPassing(request, wanted)) present.set(match.record.seq, match)
  return withConflicts(toFallingScores(arrange(matches, present, contradictions.pairs)), contradictions)
}

/**
 * Reads the contradictions of the matches that can have any: verified ones, and unverified ones with a given fact key.
 */
async function readContradictions(
  { project, visible }: SearchRequest,
  matches: Match[],
  mayDispute = (_record: RecordHead) => true,
): Promise<Contradictions> {
  const records = matches.map(({ record }) => record)
  const stated = records.filter(
    (record) =>
      (record.status === 'verified' || (record.factKeyGiven && record.status === 'unverified')) && mayDispute(record),
  )
  const pairs = stated.length === 0 ? [] : await project.listContradictions(stated.map(({ seq }) => seq))
  const seqs = [...new Set(pairs.flatMap(({ verified, other }) => [verified, other]))]
  const heads = seqs.length === 0 ? [] : await project.findHeadsBySeq(visible, seqs)
  return { pairs, heads: new Map(heads.map((head) => [head.seq, head])) }
}

/**
 * The records that pass the filter, as matches without a score, because words did not find them, or only on a later
 * page.
 */
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

/**
 * Groups each dispute (records that contradict one another) at the position of its best match, verified records first.
 * Time is linear in the pairs.
 */
function arrange(matches: Match[], present: Map<number, Match>, pairs: Conflict[]): Match[] {
  const movable = pairs.filter(
    ({ verified, other }) => present.has(verified) && present.get(other)?.record.status === 'unverified',
  )
  const verifiedOf = Map.groupBy(movable, ({ other }) => other)
  const othersOf = Map.groupBy(movable, ({ verified }) => verified)
  const order = new Map(matches.map(({ record }, at) => [record.seq, at]))
  const placeOf = ({ record }: Match) => order.get(record.seq) ?? matches.length

  /** All matches that contradict the match, directly or through others, and the match itself. */
  function disputeOf(match: Match): Match[] {
    const seqs = new Set([match.record.seq])
    // A Set's iteration also visits elements added during it.
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
    for (const one of disputeOf(match).sort((a, b) => isBehind(a) - isBehind(b) || placeOf(a) - placeOf(b)))
      placed.add(one)
  }
  return [...placed]
}

/** Raises the score of each match at least to the next one's, since matches were moved up. */
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
