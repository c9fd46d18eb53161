import type { ProjectReads } from '../../store/project.ts'
import { edits } from '../rank/edits.ts'
import type { Term } from '../rank/term.ts'
import { fold } from '../words/fold.ts'
import { stem } from '../words/stem.ts'
import { LANGUAGES, type Language } from '../words/stop.ts'
import { mistypedStarts } from './mistyped.ts'
import type { Shelf } from './shelf.ts'

/** Known words found inside an unknown one: half of its weight each was as good as 0.8. */
const SPLIT = 0.5
const SHORTEST_PART = 3
/** A part that is known where the rest of the word is not. */
const SHORTEST_ALONE = 5
/** A typing error is looked for in words of so many letters; in long ones two. */
const SHORTEST_MISSPELT = 4
const SHORTEST_TWICE = 8
/** Likely corrections taken together, the most frequent first. */
const MOST_CORRECTIONS = 3
/** Terms of the index that one correction looks through. */
const MOST_LISTED = 20_000
/** In a larger project a correction must share two letters, not one: a letter begins a twentieth of the index, which takes a millisecond to list. */
const LARGE = 5_000
/** Pairs or triples of characters that begin with what was asked, or codes and numbers. */
const MOST_LONGER = 64
/** The beginning of a code or a number that is long enough to stand for it. */
const SHORTEST_BEGINNING = 6

const MOST_KNOWN = 200

const LETTERS = /^[\p{L}\p{M}]+$/u
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+$/u
const LAST = '\u{10ffff}'

/** Terms that may stand in for one that no record holds, most likely first; none where there is nothing like it. */
export async function repair(project: ProjectReads, shelf: Shelf, term: Term): Promise<Term[]> {
  const name = `${term.word} ${term.share} ${term.forms.join(' ')}`
  const known = shelf.known?.get(name) ?? (await findInstead(project, shelf, term))
  if ((shelf.known?.size ?? MOST_KNOWN) < MOST_KNOWN) shelf.known?.set(name, known)
  return known
}

async function findInstead(project: ProjectReads, shelf: Shelf, term: Term): Promise<Term[]> {
  if (UNSPACED.test(term.word)) return asList(term, await findLonger(shelf, term.word), 1)
  if (!LETTERS.test(term.word)) return term.word.length < SHORTEST_BEGINNING ? [] : asList(term, await findLonger(shelf, term.word), 1)
  const tongues = await readTongues(project)
  const foreign = toStems(term.word, tongues).filter((form) => !term.forms.includes(form))
  if ((await shelf.isHeld(foreign)).includes(true)) return asList(term, foreign, 1)
  const parts = await findParts(shelf, term.word, tongues)
  if (parts.length > 0) return parts.flatMap((part) => asList({ ...term, word: part }, toStems(part, tongues), SPLIT))
  const corrections = await findCorrections(shelf, term)
  return corrections.length > 0 ? asList(term, corrections, 1) : asList(term, await findPart(shelf, term.word, tongues), SPLIT)
}

function asList(term: Term, forms: string[], share: number): Term[] {
  return forms.length === 0 ? [] : [{ ...term, forms, form: undefined, share: term.share * share }]
}

/** Every language a record was ever saved in, and English. */
async function readTongues(project: ProjectReads): Promise<Language[]> {
  const tongues = new Set(['en', ...(await project.readTongues()).map(({ language }) => language)])
  return LANGUAGES.filter((language) => tongues.has(language))
}

function toStems(word: string, languages: Language[]): string[] {
  return [...new Set(languages.map((language) => stem(word, language)))]
}

async function findLonger(shelf: Shelf, word: string): Promise<string[]> {
  const listed = await shelf.terms(word, word + LAST, MOST_LONGER)
  return listed.map(({ term }) => term)
}

/** The longest known beginning or end of a word, in its stems. */
async function findPart(shelf: Shelf, word: string, languages: Language[]): Promise<string[]> {
  const ends = Array.from({ length: Math.max(0, word.length - SHORTEST_ALONE) }, (_, at) => word.length - 1 - at)
  const parts = ends.flatMap((length) => [word.slice(0, length), word.slice(-length)])
  const [longest] = await filterHeld(shelf, parts, (part) => toStems(part, languages))
  return longest === undefined ? [] : toStems(longest, languages)
}

/** The two known words a word was run together from; the longest first part wins. */
async function findParts(shelf: Shelf, word: string, languages: Language[]): Promise<string[]> {
  const cuts = Array.from({ length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) }, (_, at) => word.length - SHORTEST_PART - at)
  const pairs = cuts.map((cut) => [word.slice(0, cut), word.slice(cut)] as const)
  const begun = await filterHeld(shelf, pairs, ([first]) => toStems(first, languages))
  const [whole = []] = await filterHeld(shelf, begun, ([, last]) => toStems(last, languages))
  return [...whole]
}

async function filterHeld<Part>(shelf: Shelf, parts: Part[], stemsOf: (part: Part) => string[]): Promise<Part[]> {
  const stems = parts.map(stemsOf)
  const asked = [...new Set(stems.flat())]
  const answers = asked.length === 0 ? [] : await shelf.isHeld(asked)
  const held = new Set(asked.filter((_, at) => answers[at]))
  return parts.filter((_, at) => stems[at]?.some((form) => held.has(form)))
}

/** Terms of the index with the fewest letters of difference from any form of the word, the most frequent of them. */
async function findCorrections(shelf: Shelf, { word, forms }: Term): Promise<string[]> {
  const near = await findNear(
    shelf,
    word,
    forms.filter(({ length }) => length >= SHORTEST_MISSPELT),
  )
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
