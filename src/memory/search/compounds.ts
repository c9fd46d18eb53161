import { termBits, termOf } from '../../text/token-codes.ts'
import type { TokenizedRecord } from './index/search-index.ts'
import { isJoinedForm, type QueryCompound } from './query/parse-query.ts'
import type { TermScores } from './score.ts'
import type { WeightedTerm } from './weigh-term.ts'

/**
 * An identifier of the query: the positions of its terms (its parts among them) and of its joined form, if it has one;
 * the sum of the weights of all terms; the hashes of the parts in order; and whether it is all that is sought.
 */
type Identifier = {
  terms: number[]
  parts: number[]
  joined: number | undefined
  weight: number
  hashes: Set<number>[]
  isSought: boolean
}

/**
 * Only the first identifiers of a query are weighed, and those of more parts are not looked for inside longer ones: so
 * a record of 64 KiB takes at most about 10 ms.
 */
const MAX_IDENTIFIERS = 8
const MAX_PARTS_IN_A_ROW = 16

/**
 * Returns a function that changes, in place, a record's scores of the terms of each identifier of the query, because
 * parts of identifiers mean little by themselves:
 * - If the record has the joined form, it counts at least with the weight of the whole identifier.
 * - If it has the parts one after the other, as inside a longer identifier, they count as they are, and the joined form
 *   as one match.
 * - Otherwise the scores are multiplied by the square root of the share of the identifier's weight that the record
 *   holds: one of the five groups of a UUID counts less than half. The share itself was as good for identifiers, but
 *   lost recall for claims that name genes and proteins. If the whole query is a UUID, they count nothing.
 */
export function createCompoundWeigher(
  terms: WeightedTerm[],
): (scores: TermScores, record: TokenizedRecord) => TermScores {
  const weights = terms.map(({ weight }) => weight)
  const identifiers = toIdentifiers(terms)
  return (scores, record) => {
    for (const identifier of identifiers) weighIdentifier(identifier, weights, scores, record)
    return scores
  }
}

function toIdentifiers(terms: WeightedTerm[]): Identifier[] {
  const identifiers = new Map<QueryCompound, Identifier>()
  terms.forEach((term, at) => {
    const { compound, name, weight } = term
    if (!compound?.isIdentifier) return
    const known = identifiers.get(compound)
    const one = known ?? {
      terms: [],
      parts: [],
      joined: undefined,
      weight: 0,
      hashes: compound.parts.map(toHashes),
      isSought: compound.isSought,
    }
    one.terms.push(at)
    one.weight += weight
    if (name !== undefined) one.parts.push(at)
    if (isJoinedForm(term)) one.joined = at
    identifiers.set(compound, one)
  })
  return [...identifiers.values()].slice(0, MAX_IDENTIFIERS)
}

const toHashes = (terms: string[]) => new Set(terms.map(termBits))

function weighIdentifier(identifier: Identifier, weights: number[], scores: TermScores, record: TokenizedRecord): void {
  const { terms, joined, weight } = identifier
  const held = terms.filter((at) => scores[at] !== 0)
  if (held.length === 0) return
  if (joined !== undefined && held.includes(joined)) {
    const others = sumAt(scores, held) - (scores[joined] ?? 0)
    const whole = ((scores[joined] ?? 0) / (weights[joined] ?? 1)) * weight
    scores[joined] = Math.max(scores[joined] ?? 0, whole - others)
  } else if (hasPartsInARow(identifier, scores, record)) {
    if (joined !== undefined) scores[joined] = weights[joined] ?? 0
  } else {
    const factor = identifier.isSought ? 0 : Math.sqrt(sumAt(weights, held) / weight)
    for (const at of held) scores[at] = (scores[at] ?? 0) * factor
  }
}

function sumAt(values: ArrayLike<number>, positions: number[]): number {
  return positions.reduce((sum, at) => sum + (values[at] ?? 0), 0)
}

/** Time is in proportion to the length of the record, times at most `MAX_PARTS_IN_A_ROW`. */
function hasPartsInARow({ parts, hashes }: Identifier, scores: TermScores, { codes }: TokenizedRecord): boolean {
  if (hashes.length > MAX_PARTS_IN_A_ROW || parts.some((at) => scores[at] === 0)) return false
  for (let start = 0; start + hashes.length <= codes.length; start++) {
    let at = 0
    while (at < hashes.length && hashes[at]?.has(termOf(codes[start + at] ?? 0))) at++
    if (at === hashes.length) return true
  }
  return false
}
