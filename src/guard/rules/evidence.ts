import { finish, type Steps } from '../../cooperative.ts'
import { mapInSteps } from '../pieces.ts'
import { CONCEPTS } from './concepts.ts'
import { addDerivedHits } from './derived-hits.ts'
import { findHits, type Hit } from './hits.ts'
import { findForgedTurns, findLinks } from './markers.ts'
import { RULES } from './rules.ts'

/** A rule that matched: where, and whether the words around it are those of somebody describing. */
export type Match = { rule: number; start: number; end: number; described: boolean }

const DESCRIBE = CONCEPTS.indexOf('describe')
const REPORT = CONCEPTS.indexOf('report')
const needs = RULES.map((rule) => rule.needs.map((need) => CONCEPTS.indexOf(need)))
// Rules flat, for speed: three needs each (the last repeated where there are two), and by concept the rules that need it.
const flat = Int8Array.from(needs.flatMap(([a = 0, b = a, c = b]) => [a, b, c]))
// Of a pair the sum of both needs, from which the one follows out of the other; 0 of other rules.
const partner = Int16Array.from(needs, ([a = 0, b = 0, c]) => (c === undefined && b > 0 ? a + b : 0))
const spans = Int16Array.from(RULES, (rule) => rule.span)
const rulesOf = CONCEPTS.map((_, concept) => Int16Array.from(needs.flatMap((list, rule) => (list.includes(concept) ? [rule] : []))))
const CONTEXT_CHARACTERS = 160

/** What speaks for an attack in a text, passage by passage, and whether its writer speaks about attacks. */
export type Evidence = { passages: Match[][]; reporting: boolean }

// Rules add up within a passage only, else any long text would come to many of them.
const PASSAGE_CHARACTERS = 700

/** For each passage of a folded text, every half overlapping the next, the rules that match there: the first match that is not a description, else the first. */
export function findEvidence(text: string): Evidence {
  return finish(findEvidenceInSteps(text))
}

/** `findEvidence`, a piece at a time. */
export function* findEvidenceInSteps(text: string): Steps<Evidence> {
  const phrases = yield* findHits(yield* mapInSteps(text, (piece) => piece.replace(/\s/g, ' ')))
  const forged = yield* findForgedTurns(text)
  const links = yield* findLinks(text)
  yield
  const hits = yield* addDerivedHits(merge(merge(withoutLinked(phrases, links), forged), links), text)
  const described = hits.filter((hit) => hit.concept === DESCRIBE)
  const passages: Match[][] = []
  for (let from = 0, first = 0; from === 0 || from + PASSAGE_CHARACTERS / 2 < text.length; from += PASSAGE_CHARACTERS / 2) {
    yield
    while (first < hits.length && (hits[first]?.start ?? 0) < from) first++
    passages.push(match(hits, first, from + PASSAGE_CHARACTERS, described))
  }
  return { passages, reporting: hits.some((hit) => hit.concept === REPORT) }
}

function match(hits: Hit[], first: number, to: number, described: Hit[]): Match[] {
  const last = new Int32Array(CONCEPTS.length).fill(-100_000_000)
  const ends = new Int32Array(CONCEPTS.length).fill(-100_000_000)
  const found: (Match | undefined)[] = new Array(RULES.length)
  for (let at = first; at < hits.length; at++) {
    const hit = hits[at] as Hit
    if (hit.end > to) break
    last[hit.concept] = hit.start
    ends[hit.concept] = hit.end
    const list = rulesOf[hit.concept]
    if (list !== undefined) takeAll(list, hit, { last, ends }, described, found)
  }
  return found.filter((one) => one !== undefined)
}

type Places = { last: Int32Array; ends: Int32Array }

function takeAll(list: Int16Array, hit: Hit, { last, ends }: Places, described: Hit[], found: (Match | undefined)[]): void {
  for (let at = 0; at < list.length; at++) {
    const rule = list[at] ?? 0
    const a = last[flat[3 * rule] ?? 0] ?? 0
    const b = last[flat[3 * rule + 1] ?? 0] ?? 0
    const c = last[flat[3 * rule + 2] ?? 0] ?? 0
    const start = Math.min(a, b, c)
    if (hit.start - start > (spans[rule] ?? 0) || found[rule]?.described === false) continue
    // The same words cannot be both members of a pair.
    const other = partner[rule] ?? 0
    if (other > 0 && (ends[other - hit.concept] ?? 0) > hit.start) continue
    const isDescribed = isNear(described, start - CONTEXT_CHARACTERS, hit.end + CONTEXT_CHARACTERS / 2)
    if (found[rule] === undefined || !isDescribed) found[rule] = { rule, start, end: hit.end, described: isDescribed }
  }
}

/** Whether a hit of the ordered list lies between the two places. */
function isNear(hits: Hit[], from: number, to: number): boolean {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.end ?? 0) < from) low = middle + 1
    else high = middle
  }
  return (hits[low]?.start ?? Number.POSITIVE_INFINITY) <= to
}

/** What was found by phrase, without descriptions that are part of an address. */
function withoutLinked(phrases: Hit[], links: Hit[]): Hit[] {
  return links.length === 0 ? phrases : phrases.filter((hit) => hit.concept !== DESCRIBE || !isNear(links, hit.end, hit.start))
}

/** Two lists in the order in which their hits end, as one; of those that end together the first list's come first. */
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
