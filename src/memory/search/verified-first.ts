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

/** The matches with the verified records before the others of their contradictions. */
function arrange(matches: Match[], present: Map<number, Match>, pairs: Conflict[]): Match[] {
  const movable = pairs.filter(({ other }) => present.get(other)?.record.status !== 'verified')
  const verifiedOf = group(movable, ({ other, verified }) => [other, verified])
  const othersOf = group(movable, ({ other, verified }) => [verified, other])
  const order = new Map(matches.map(({ record }, at) => [record.seq, at]))
  const placeOf = (seq: number) => order.get(seq) ?? matches.length
  const placed = new Set<Match>()
  const place = (seq: number) => {
    const match = present.get(seq)
    if (match !== undefined) placed.add(match)
  }
  for (const { record } of matches) {
    const others = verifiedOf.has(record.seq) ? [record.seq] : (othersOf.get(record.seq) ?? [])
    const verified = others.flatMap((seq) => verifiedOf.get(seq) ?? [])
    const all = new Set([...others, ...verified.flatMap((seq) => othersOf.get(seq) ?? [])])
    for (const seq of verified) place(seq)
    for (const seq of [...all].sort((a, b) => placeOf(a) - placeOf(b))) place(seq)
    place(record.seq)
  }
  return [...placed]
}

function group(pairs: Conflict[], toEntry: (pair: Conflict) => [key: number, value: number]): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const pair of pairs) {
    const [key, value] = toEntry(pair)
    groups.set(key, [...(groups.get(key) ?? []), value])
  }
  return groups
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
  const verifiedOf = group(pairs, ({ other, verified }) => [other, verified])
  return matches.map((match) => {
    const against = (verifiedOf.get(match.record.seq) ?? []).flatMap((seq) => heads.get(seq)?.id ?? [])
    return against.length === 0 ? match : { ...match, conflictsWith: [...new Set(against)] }
  })
}
