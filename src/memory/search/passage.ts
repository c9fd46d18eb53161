import { fold } from '../../text/fold.ts'
import { endBefore, startAfter } from '../records/excerpt.ts'
import type { WeightedTerm } from './query-term.ts'

/** A word of a query as it is looked for in a text: any of the spellings, folded, and what a match is worth. */
export type Needle = { spellings: string[]; weight: number }

/** Words of a query that lead to a passage, the weightiest; their spellings; and places of a text that are weighed. */
const MAX_NEEDLES = 16
const MAX_SPELLINGS = 4
const MAX_HITS = 4_096

/** The words of a query by which passages are chosen. */
export function toNeedles(terms: Pick<WeightedTerm, 'word' | 'forms' | 'weight'>[]): Needle[] {
  const weightiest = terms.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_NEEDLES)
  return weightiest.map(({ word, forms, weight }) => ({ spellings: [...new Set([word, ...forms])].slice(0, MAX_SPELLINGS), weight }))
}

type Hit = { start: number; end: number; needle: number }

/**
 * The passage of at most `most` characters of a longer text that holds the weightiest of the needles, cut between sentences where that is possible; the
 * beginning where it holds none. Takes time in proportion to the text and the number of needles.
 */
export function bestPassage(text: string, most: number, needles: Needle[]): string {
  const hits = findHits(toFolded(text), needles)
  const [first, last] = bestWindow(hits, most, needles) ?? [0, 0]
  // A third of what is left over stands before the first match.
  const from = Math.max(0, Math.min(first - Math.floor((most - (last - first)) / 3), text.length - most))
  const start = startAfter(text, from, first)
  return text.slice(start, endBefore(text, start, Math.min(start + most, text.length))).trimEnd()
}

/** Where the spellings stand, from the first on. */
function findHits(folded: string, needles: Needle[]): Hit[] {
  const each = Math.ceil(MAX_HITS / Math.max(1, needles.length))
  const hits = needles.flatMap(({ spellings }, needle) =>
    spellings.flatMap((spelling) => findSpelling(folded, spelling, Math.ceil(each / spellings.length)).map((hit) => ({ ...hit, needle }))),
  )
  return hits.sort((a, b) => a.start - b.start)
}

const LETTER = /[a-z0-9]/

/** A word of plain letters is looked for at beginnings of words only: `art` is no match in `part`. */
function findSpelling(folded: string, spelling: string, limit: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  if (spelling === '') return found
  const isPlain = LETTER.test(spelling[0] ?? '')
  for (let at = folded.indexOf(spelling); at >= 0 && found.length < limit; at = folded.indexOf(spelling, at + spelling.length)) {
    if (!(isPlain && LETTER.test(folded[at - 1] ?? ''))) found.push({ start: at, end: at + spelling.length })
  }
  return found
}

/** A further match of a word counts so much of the first. */
const AGAIN = 0.02

/** From the first to the end of the last match of the window that is worth most; undefined without matches. */
function bestWindow(hits: Hit[], most: number, needles: Needle[]): [first: number, last: number] | undefined {
  const counts = needles.map(() => 0)
  let [best, worth, left] = [0, 0, 0]
  /** Takes a match into the window or out of it. */
  const count = ({ needle }: Hit, by: 1 | -1) => {
    const others = Math.min(counts[needle] ?? 0, (counts[needle] ?? 0) + by)
    counts[needle] = (counts[needle] ?? 0) + by
    worth += by * (needles[needle]?.weight ?? 0) * (others === 0 ? 1 : AGAIN)
  }
  let window: [number, number] | undefined
  for (const hit of hits) {
    count(hit, 1)
    for (let oldest = hits[left]; oldest !== undefined && oldest !== hit && hit.end - oldest.start > most; oldest = hits[++left]) {
      count(oldest, -1)
    }
    if (worth <= best + 1e-9) continue
    best = worth
    window = [hits[left]?.start ?? hit.start, hit.end]
  }
  return window
}

/** Folded characters of one unit that are longer than one when folded stay as they are, so that places in the text are the same. */
const folds = new Map<number, number>()

/** A text as queries are folded, character by character: small letters without accents. As long as the text. */
function toFolded(text: string): string {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    units[at] = unit < 128 ? (unit >= 65 && unit <= 90 ? unit + 32 : unit) : foldUnit(unit)
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units)
}

/** At most one entry for each of the 65 536 units. */
function foldUnit(unit: number): number {
  const known = folds.get(unit)
  if (known !== undefined) return known
  const folded = unit >= 0xd800 && unit <= 0xdfff ? '' : fold(String.fromCharCode(unit).toLowerCase())
  const code = folded.length === 1 ? folded.charCodeAt(0) : unit
  folds.set(unit, code)
  return code
}
