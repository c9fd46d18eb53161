import { yieldIfDue } from '../../cooperative.ts'
import type { TermCount } from '../../store/search.ts'
import { fold } from '../../text/fold.ts'
import type { Budget } from './budget.ts'
import { editDistance } from './edit-distance.ts'
import { mistypedStarts } from './mistyped-starts.ts'
import type { QueryTerm } from './query-term.ts'
import { afterTerm, LAST_TERM, MAX_POSTINGS, type SearchIndex } from './search-index.ts'

/** A typing error is looked for in words of so many letters; in long ones two. */
const MIN_LETTERS = 4
const MIN_LETTERS_FOR_TWO_EDITS = 8
/** Likely corrections taken together, the most frequent first. */
const MAX_CORRECTIONS = 3
/** In a larger project a correction must share two letters, not one: a letter begins a twentieth of the index, which takes a millisecond to list. */
const LARGE_PROJECT_RECORDS = 5_000
/** Where more terms than this begin alike, a correction must share one letter more, up to four; mistakes in those are tried one by one. */
const MAX_LISTED = 4_096
const MAX_SURE = 4
/** Terms listed at once. */
const PAGE_SIZE = 512
/** Terms equally near whose holders are counted. */
const MAX_COUNTED = 64

type Near = TermCount & { distance: number }

/** Terms that visible records hold with the fewest letters of difference from any form of the word, the most frequent of them. */
export async function suggestCorrections(shelf: SearchIndex, { word, forms }: QueryTerm, budget: Budget): Promise<string[]> {
  const long = forms.filter(({ length }) => length >= MIN_LETTERS)
  const { near, others } = await findNear(shelf, word, long, budget)
  const ofDistance = (wanted: number) => near.filter(({ distance }) => distance === wanted)
  for (const distance of [0, 1]) {
    const found = await chooseHeld(shelf, ofDistance(distance))
    if (found.length > 0) return found
  }
  const held = await shelf.isHeld(others)
  const mistyped = others.filter((_, at) => held[at]).sort()
  return mistyped.length > 0 ? mistyped.slice(0, MAX_CORRECTIONS) : chooseHeld(shelf, ofDistance(2))
}

/** Terms that begin as a form does, within the letters of difference it may have; and what the word is if the mistake is in that beginning. */
async function findNear(shelf: SearchIndex, word: string, forms: string[], budget: Budget): Promise<{ near: Near[]; others: string[] }> {
  const near = new Map<string, Near>()
  const others = new Set<string>()
  const listed = new Map<string, TermCount[] | undefined>()
  for (const form of forms) {
    let sure = shelf.records > LARGE_PROJECT_RECORDS ? 2 : 1
    for (; sure <= MAX_SURE; sure++) {
      const start = form.slice(0, sure)
      if (!listed.has(start)) listed.set(start, await listTerms(shelf, start, sure === MAX_SURE, budget))
      const terms = listed.get(start)
      if (terms === undefined) continue
      for (const one of terms) {
        const distance = Math.min(...forms.map((other) => distanceOf(word, other, one.term)))
        if (distance < Number.POSITIVE_INFINITY) near.set(one.term, { ...one, distance })
      }
      break
    }
    for (const other of mistypedStarts(form, Math.min(sure, form.length))) others.add(other)
  }
  return { near: [...near.values()], others: [...others] }
}

/** The terms that begin so; undefined where they are too many and `isLast` does not say that the first of them will do. */
async function listTerms(shelf: SearchIndex, start: string, isLast: boolean, budget: Budget): Promise<TermCount[] | undefined> {
  const listed: TermCount[] = []
  for (let first = start; listed.length < MAX_LISTED && budget.terms > 0; ) {
    const due = yieldIfDue()
    if (due !== undefined) await due
    const page = await shelf.terms(first, start + LAST_TERM, PAGE_SIZE)
    budget.terms -= page.length
    listed.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return listed
    first = afterTerm(last.term)
  }
  return isLast ? listed : undefined
}

/** The most frequent of some terms that are equally near, of those that a record holds. */
async function chooseHeld(shelf: SearchIndex, near: Near[]): Promise<string[]> {
  const likely = near.sort(byFrequency).slice(0, MAX_COUNTED)
  const counted = await countHolders(shelf, likely)
  const held = counted.filter(({ records }) => records > 0).sort(byFrequency)
  return held.slice(0, MAX_CORRECTIONS).map(({ term }) => term)
}

async function countHolders(shelf: SearchIndex, near: Near[]): Promise<TermCount[]> {
  if (shelf.isSole) return near.map(({ term, records }) => ({ term, records: Math.min(records, MAX_POSTINGS) }))
  const holders = near.length === 0 ? [] : await shelf.postings(near.map(({ term }) => [term]))
  return near.map(({ term }, at) => ({ term, records: holders[at]?.length ?? 0 }))
}

function byFrequency(a: TermCount, b: TermCount): number {
  return b.records - a.records || (a.term < b.term ? -1 : 1)
}

/** Letters of difference; infinitely many where it is more than a form of its length may have. Of a word that was cut, a letter added or left out moves the cut by one. */
function distanceOf(word: string, form: string, term: string): number {
  const most = form.length >= MIN_LETTERS_FOR_TWO_EDITS ? 2 : 1
  if (term.length === form.length && fold(term) === form) return 0
  const direct = editDistance(form, term, most)
  if (direct <= 1) return direct
  const isCut = term.length === form.length && word.length > form.length
  const moved = isCut ? [-1, 1].map((by) => editDistance(word.slice(0, form.length + by), term, most)) : []
  const least = Math.min(direct, ...moved)
  return least <= most ? least : Number.POSITIVE_INFINITY
}
