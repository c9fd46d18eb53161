import { finish, type Steps } from '../../cooperative.ts'
import { mapInSteps } from '../pieces.ts'
import { CONCEPTS } from './concepts.ts'
import { addDerivedHits } from './derived-hits.ts'
import { findHits, type Hit } from './hits.ts'
import { findForgedTurns, findLinks } from './markers.ts'
import { RULES } from './rules.ts'

/** A rule, by its position in RULES, that matched from `start` up to `end`. `described`: the words around it describe an attack instead of making one. */
export type Match = { rule: number; start: number; end: number; described: boolean }

/** The matches of each passage of a text, and whether the text is a report about attacks. */
export type Evidence = { passages: Match[][]; reporting: boolean }

const DESCRIBE = CONCEPTS.indexOf('describe')
const REPORT = CONCEPTS.indexOf('report')

/** Lengths in UTF-16 units. Rules add up within a passage only, since any long text matches many of them. */
const PASSAGE_LENGTH = 700
/** A description is searched for up to this far before a match, and half as far after it. */
const CONTEXT_LENGTH = 160

const NEEDS = RULES.map((rule) => rule.needs.map((concept) => CONCEPTS.indexOf(concept)))
/** Three needs of each rule in a row; the last is repeated where there are fewer. */
const FLAT_NEEDS = Int8Array.from(NEEDS.flatMap(([a = 0, b = a, c = b]) => [a, b, c]))
/** Of a pair the sum of both needs, so that either follows from the other; 0 for every other rule. */
const PAIR_SUMS = Int16Array.from(NEEDS, ([a = 0, b = 0, c]) => (c === undefined && b > 0 ? a + b : 0))
const SPANS = Int16Array.from(RULES, (rule) => rule.span)
const RULES_BY_CONCEPT = CONCEPTS.map((_, concept) =>
  Int16Array.from(NEEDS.flatMap((needs, rule) => (needs.includes(concept) ? [rule] : []))),
)
const NEVER = -100_000_000

/** Blanks but the space: a pattern with it would replace each space of a text by itself. */
const OTHER_BLANKS = /[^\S ]/g

/** The evidence in a canonical text. Passages overlap by half; each has every rule at most once, by its first match that is not described, else its first. */
export function findEvidence(text: string): Evidence {
  return finish(findEvidenceInSteps(text))
}

/** `findEvidence`, a piece at a time. */
export function* findEvidenceInSteps(text: string): Steps<Evidence> {
  const phrases = yield* findHits(yield* mapInSteps(text, (piece) => piece.replace(OTHER_BLANKS, ' ')))
  const forged = yield* findForgedTurns(text)
  const links = yield* findLinks(text)
  yield
  const hits = yield* addDerivedHits(merge(merge(withoutLinked(phrases, links), forged), links), text)
  const descriptions = hits.filter(({ concept }) => concept === DESCRIBE)
  const passages: Match[][] = []
  for (let from = 0, first = 0; from === 0 || from + PASSAGE_LENGTH / 2 < text.length; from += PASSAGE_LENGTH / 2) {
    yield
    while (first < hits.length && (hits[first]?.start ?? 0) < from) first++
    passages.push(matchRules(hits, first, from + PASSAGE_LENGTH, descriptions))
  }
  return { passages, reporting: hits.some(({ concept }) => concept === REPORT) }
}

/** The rules that match among the hits from the position `first` on that end before `end`. */
function matchRules(hits: Hit[], first: number, end: number, descriptions: Hit[]): Match[] {
  const latest: Latest = { starts: new Int32Array(CONCEPTS.length).fill(NEVER), ends: new Int32Array(CONCEPTS.length).fill(NEVER) }
  const matches: (Match | undefined)[] = new Array(RULES.length)
  for (let at = first; at < hits.length; at++) {
    const hit = hits[at] as Hit
    if (hit.end > end) break
    latest.starts[hit.concept] = hit.start
    latest.ends[hit.concept] = hit.end
    matchRulesOf(hit, latest, descriptions, matches)
  }
  return matches.filter((match) => match !== undefined)
}

/** The latest hit of each concept. */
type Latest = { starts: Int32Array; ends: Int32Array }

/** Adds the rules that the hit completes. */
function matchRulesOf(hit: Hit, { starts, ends }: Latest, descriptions: Hit[], matches: (Match | undefined)[]): void {
  for (const rule of RULES_BY_CONCEPT[hit.concept] ?? []) {
    const a = starts[FLAT_NEEDS[3 * rule] ?? 0] ?? 0
    const b = starts[FLAT_NEEDS[3 * rule + 1] ?? 0] ?? 0
    const c = starts[FLAT_NEEDS[3 * rule + 2] ?? 0] ?? 0
    const start = Math.min(a, b, c)
    if (hit.start - start > (SPANS[rule] ?? 0) || matches[rule]?.described === false) continue
    // The same words cannot be both members of a pair.
    const sum = PAIR_SUMS[rule] ?? 0
    if (sum > 0 && (ends[sum - hit.concept] ?? 0) > hit.start) continue
    const described = hasHitBetween(descriptions, start - CONTEXT_LENGTH, hit.end + CONTEXT_LENGTH / 2)
    if (matches[rule] === undefined || !described) matches[rule] = { rule, start, end: hit.end, described }
  }
}

/** Whether one of the ordered hits ends at `from` or later and starts at `to` or earlier. */
function hasHitBetween(hits: Hit[], from: number, to: number): boolean {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.end ?? 0) < from) low = middle + 1
    else high = middle
  }
  return (hits[low]?.start ?? Number.POSITIVE_INFINITY) <= to
}

/** The hits of phrases without descriptions and words of reports that are part of a link. */
function withoutLinked(phrases: Hit[], links: Hit[]): Hit[] {
  return links.length === 0
    ? phrases
    : phrases.filter((hit) => (hit.concept !== DESCRIBE && hit.concept !== REPORT) || !hasHitBetween(links, hit.end, hit.start))
}

/** Merges two lists ordered by the end of their hits. Of hits that end together those of the first list come first. */
function merge(one: Hit[], other: Hit[]): Hit[] {
  if (other.length === 0) return one
  const merged: Hit[] = []
  let at = 0
  for (const hit of one) {
    for (let next = other[at]; next !== undefined && next.end < hit.end; next = other[++at]) merged.push(next)
    merged.push(hit)
  }
  return merged.concat(other.slice(at))
}
