import { concepts } from './concept.ts'
import { findHits, type Hit } from './hits.ts'
import { findMarks } from './markers.ts'
import { rules } from './rules.ts'

/** A rule that matched: where, and whether the words around it are those of somebody describing. */
export type Match = { rule: number; start: number; end: number; described: boolean }

const describe = concepts.indexOf('describe')
const link = concepts.indexOf('link')
const report = concepts.indexOf('report')
const needs = rules.map((rule) => rule.needs.map((need) => concepts.indexOf(need)))
const rulesOf = concepts.map((_, concept) => needs.flatMap((list, rule) => (list.includes(concept) ? [rule] : [])))
const around = 160

/** What speaks for an attack in a text, and whether its writer speaks about attacks. */
export type Evidence = { matches: Match[]; reporting: boolean }

/** Each rule that matches a folded text, once: its first match that is not a description, else its first. */
export function findEvidence(text: string): Evidence {
  const hits = merge(findHits(text.replace(/\s/g, ' ')), findMarks(text))
  const described = hits.filter((hit) => hit.concept === describe)
  const last = new Int32Array(concepts.length).fill(-100_000)
  const found = new Map<number, Match>()
  for (const hit of hits) {
    last[hit.concept] = hit.start
    for (const rule of rulesOf[hit.concept] ?? []) take(rule, hit, last, described, found)
  }
  return { matches: [...found.values()], reporting: hits.some((hit) => hit.concept === report) }
}

function take(rule: number, hit: Hit, last: Int32Array, described: Hit[], found: Map<number, Match>): void {
  if (found.get(rule)?.described === false) return
  let start = hit.start
  for (const concept of needs[rule] ?? []) start = Math.min(start, last[concept] ?? 0)
  if (hit.end - start > (rules[rule]?.span ?? 0) + (hit.end - hit.start)) return
  const isDescribed = isNear(described, start - around, hit.end + around / 2)
  if (!found.has(rule) || !isDescribed) found.set(rule, { rule, start, end: hit.end, described: isDescribed })
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

/** What was found by phrase, without descriptions that are part of an address, and what was found by form, in the order of the text. */
function merge(phrases: Hit[], marks: Hit[]): Hit[] {
  if (marks.length === 0) return phrases
  const links = marks.filter((hit) => hit.concept === link).sort((a, b) => a.end - b.end)
  const free = phrases.filter((hit) => hit.concept !== describe || !isNear(links, hit.end, hit.start))
  return [...free, ...marks].sort((a, b) => a.end - b.end)
}
