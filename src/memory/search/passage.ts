import { fold } from '../../text/fold.ts'
import { normalize } from '../../text/normalize.ts'
import { endBefore, startAfter } from '../records/sentence-ends.ts'
import type { WeightedTerm } from './weigh-term.ts'
import { REPEATED_SHARE } from './weights.ts'

/** A word of a query as it is looked for in a text: its normalized spellings, and the weight of a hit. */
export type Needle = { spellings: string[]; weight: number }

/** Bounds of the work for one text: words, spellings of a word, and hits. */
const MAX_NEEDLES = 16
const MAX_SPELLINGS = 4
const MAX_HITS = 4_096

/** The words of a query by which passages are chosen: those with the largest weights. */
export function toNeedles(terms: Pick<WeightedTerm, 'word' | 'indexTerms' | 'weight'>[]): Needle[] {
  const heaviest = terms.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_NEEDLES)
  return heaviest.map(({ word, indexTerms, weight }) => ({
    spellings: [...new Set([word, ...indexTerms])].slice(0, MAX_SPELLINGS),
    weight,
  }))
}

type Hit = { start: number; end: number; needle: number }

/**
 * The passage of at most `max` UTF-16 units whose needles have the largest total weight, from a text that is longer;
 * without a hit, the beginning. In normalization form C, as needles are. Cut between sentences if possible. Time is linear
 * in the length of the text and in the number of needles.
 */
export function bestPassage(content: string, max: number, needles: Needle[]): string {
  const text = normalize(content, 'NFC')
  const hits = findHits(foldEach(text), needles)
  const [first, last] = bestWindow(hits, max, needles) ?? [0, 0]
  // A third of the room that the hits leave is before the first of them.
  const from = Math.max(0, Math.min(first - Math.floor((max - (last - first)) / 3), text.length - max))
  const start = startAfter(text, from, first)
  return text.slice(start, endBefore(text, start, start + max)).trimEnd()
}

/** A part [`start`, `end`) of a text, in UTF-16 units. */
type Mark = { start: number; end: number }

/**
 * The parts of a text in normalization form C that needles hit, in order, disjoint, each extended to the end of its word. Time is linear in the
 * length of the text and in the needles.
 */
export function findMarks(text: string, needles: Needle[]): Mark[] {
  const folded = foldEach(text)
  const marks: Mark[] = []
  for (const { start, end } of findHits(folded, needles)) {
    const last = marks.at(-1)
    const until = endOfWord(folded, end)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, until)
    else marks.push({ start, end: until })
  }
  return marks
}

function endOfWord(folded: string, from: number): number {
  let end = from
  if (LETTER.test(folded[from - 1] ?? '')) while (LETTER.test(folded[end] ?? '')) end += 1
  return end
}

/** Hits in the order of the text. */
function findHits(folded: string, needles: Needle[]): Hit[] {
  const maxEach = Math.ceil(MAX_HITS / Math.max(1, needles.length))
  const hits = needles.flatMap(({ spellings }, needle) =>
    spellings.flatMap((spelling) =>
      findSpelling(folded, spelling, Math.ceil(maxEach / spellings.length)).map((hit) => ({ ...hit, needle })),
    ),
  )
  return hits.sort((a, b) => a.start - b.start)
}

const LETTER = /[a-z0-9]/

/**
 * A spelling that begins with a Latin letter or a digit is matched only at the beginning of a word: `art` does not hit
 * `part`.
 */
function findSpelling(folded: string, spelling: string, limit: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  if (spelling === '') return found
  const isPlain = LETTER.test(spelling[0] ?? '')
  for (
    let at = folded.indexOf(spelling);
    at >= 0 && found.length < limit;
    at = folded.indexOf(spelling, at + spelling.length)
  ) {
    if (!(isPlain && LETTER.test(folded[at - 1] ?? ''))) found.push({ start: at, end: at + spelling.length })
  }
  return found
}

/** Start of the first and end of the last hit in the heaviest window of at most `max` units; undefined without hits. */
function bestWindow(hits: Hit[], max: number, needles: Needle[]): [first: number, last: number] | undefined {
  const counts = needles.map(() => 0)
  let [best, weight, left] = [0, 0, 0]
  /** Adds a hit to the window, or takes it out of it. */
  const count = ({ needle }: Hit, by: 1 | -1) => {
    const others = Math.min(counts[needle] ?? 0, (counts[needle] ?? 0) + by)
    counts[needle] = (counts[needle] ?? 0) + by
    weight += by * (needles[needle]?.weight ?? 0) * (others === 0 ? 1 : REPEATED_SHARE)
  }
  let window: [number, number] | undefined
  for (const hit of hits) {
    count(hit, 1)
    for (
      let oldest = hits[left];
      oldest !== undefined && oldest !== hit && hit.end - oldest.start > max;
      oldest = hits[++left]
    ) {
      count(oldest, -1)
    }
    // Floating-point sums of the same weights in another order may differ in the last digits.
    if (weight <= best + 1e-9) continue
    best = weight
    window = [hits[left]?.start ?? hit.start, hit.end]
  }
  return window
}

/** A text in lower case without accents, folded unit by unit, so that positions in it are positions in the text. */
function foldEach(text: string): string {
  const folds = new Map<number, number>()
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 128) {
      units[at] = unit >= 65 && unit <= 90 ? unit + 32 : unit
      continue
    }
    const folded = folds.get(unit) ?? foldUnit(unit)
    folds.set(unit, folded)
    units[at] = folded
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units)
}

/** A unit that folds to several, or is half of a surrogate pair, stays as it is. */
function foldUnit(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff
  const folded = isSurrogate ? '' : fold(String.fromCharCode(unit).toLowerCase())
  return folded.length === 1 ? folded.charCodeAt(0) : unit
}
