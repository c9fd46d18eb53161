import { edits } from '../rank/edits.ts'
import type { Term } from '../rank/term.ts'
import { fold } from '../words/fold.ts'
import { mistypedStarts } from './mistyped.ts'
import { LAST, type Shelf } from './shelf.ts'

/** A typing error is looked for in words of so many letters; in long ones two. */
const SHORTEST_MISSPELT = 4
const SHORTEST_TWICE = 8
/** Likely corrections taken together, the most frequent first. */
const MOST_CORRECTIONS = 3
/** Terms of the index that one correction looks through. */
const MOST_LISTED = 20_000
/** In a larger project a correction must share two letters, not one: a letter begins a twentieth of the index, which takes a millisecond to list. */
const LARGE = 5_000

/** Terms of the index with the fewest letters of difference from any form of the word, the most frequent of them. */
export async function findCorrections(shelf: Shelf, { word, forms }: Term): Promise<string[]> {
  const long = forms.filter(({ length }) => length >= SHORTEST_MISSPELT)
  const near = await findNear(shelf, word, long)
  const least = Math.min(...near.map(({ distance }) => distance))
  return near
    .filter(({ distance }) => distance === least)
    .sort((a, b) => b.records - a.records || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map(({ term }) => term)
}

type Near = { term: string; records: number; distance: number }

/** Terms within the letters of difference that a form of its length may have; those that begin otherwise where there is none so near. */
async function findNear(shelf: Shelf, word: string, forms: string[]): Promise<Near[]> {
  const sure = shelf.records > LARGE ? 2 : 1
  const near: Near[] = []
  for (const start of new Set(forms.map((form) => form.slice(0, sure)))) {
    for (const one of await shelf.terms(start, start + LAST, MOST_LISTED)) {
      const distance = Math.min(...forms.map((form) => distanceOf(word, form, one.term)))
      if (distance < Number.POSITIVE_INFINITY) near.push({ ...one, distance })
    }
  }
  if (near.some(({ distance }) => distance <= 1)) return near
  const others = [...new Set(forms.flatMap((form) => mistypedStarts(form, sure)))]
  const held = await shelf.isHeld(others)
  return [...near, ...others.filter((_, at) => held[at]).map((term) => ({ term, records: 0, distance: 1 }))]
}

/** Letters of difference; infinitely many where it is more than a form of its length may have. Of a word that was cut, a letter added or left out moves the cut by one. */
function distanceOf(word: string, form: string, term: string): number {
  const most = form.length >= SHORTEST_TWICE ? 2 : 1
  if (term.length === form.length && fold(term) === form) return 0
  const direct = edits(form, term, most)
  if (direct <= 1) return direct
  const isCut = term.length === form.length && word.length > form.length
  const moved = isCut ? [-1, 1].map((by) => edits(word.slice(0, form.length + by), term, most)) : []
  const least = Math.min(direct, ...moved)
  return least <= most ? least : Number.POSITIVE_INFINITY
}
