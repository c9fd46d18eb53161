import type { ProjectReads } from '../../store/project.ts'
import { edits } from '../rank/edits.ts'
import type { Term } from '../rank/term.ts'
import { stem } from '../words/stem.ts'
import { LANGUAGES } from '../words/stop.ts'
import type { Shelf } from './shelf.ts'

/** Known words found inside an unknown one: half of its weight each was as good as 0.8. */
const SPLIT = 0.5
const SHORTEST_PART = 3
/** A typing error is looked for in words of so many letters; in long ones two. */
const SHORTEST_MISSPELT = 4
const SHORTEST_TWICE = 8
/** Likely corrections taken together, the most frequent first. */
const MOST_CORRECTIONS = 3
/** Terms of the index that one correction looks through. */
const MOST_LISTED = 20_000
/** In a larger project a correction must share two letters, not one: a letter begins a twentieth of the index, which takes a millisecond to list. */
const LARGE = 5_000
/** Pairs or triples of characters that begin with what was asked. */
const MOST_LONGER = 64

const MOST_KNOWN = 200

const LETTERS = /^\p{L}+$/u
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
  if (!LETTERS.test(term.word)) return []
  const foreign = await toForeign(project, term)
  if ((await shelf.isHeld(foreign)).includes(true)) return asList(term, foreign, 1)
  const parts = await findParts(shelf, term.word)
  if (parts.length > 0) return parts.flatMap((part) => asList({ ...term, word: part }, [stem(part, 'en')], SPLIT))
  return asList(term, await findCorrections(shelf, term), 1)
}

function asList(term: Term, forms: string[], share: number): Term[] {
  return forms.length === 0 ? [] : [{ ...term, forms, form: undefined, share: term.share * share }]
}

/** The word's stems in every language a record was ever saved in, without those already looked up in vain. */
async function toForeign(project: ProjectReads, { word, forms }: Term): Promise<string[]> {
  const tongues = new Set(['en', ...(await project.readTongues()).map(({ language }) => language)])
  const stems = LANGUAGES.filter((language) => tongues.has(language)).map((language) => stem(word, language))
  return [...new Set(stems)].filter((form) => !forms.includes(form))
}

async function findLonger(shelf: Shelf, word: string): Promise<string[]> {
  const listed = await shelf.terms(word, word + LAST, MOST_LONGER)
  return listed.map(({ term }) => term)
}

/** The two known words a word was run together from; the longest first part wins. */
async function findParts(shelf: Shelf, word: string): Promise<string[]> {
  const cuts = Array.from({ length: Math.max(0, word.length - 2 * SHORTEST_PART + 1) }, (_, at) => word.length - SHORTEST_PART - at)
  const pairs = cuts.map((cut) => [word.slice(0, cut), word.slice(cut)] as const)
  const begun = await filterHeld(shelf, pairs, ([first]) => first)
  const [whole = []] = await filterHeld(shelf, begun, ([, last]) => last)
  return [...whole]
}

async function filterHeld<Pair>(shelf: Shelf, pairs: Pair[], part: (pair: Pair) => string): Promise<Pair[]> {
  const held = pairs.length === 0 ? [] : await shelf.isHeld(pairs.map((pair) => stem(part(pair), 'en')))
  return pairs.filter((_, at) => held[at])
}

/** Terms of the index with the fewest letters of difference, the most frequent of them. */
async function findCorrections(shelf: Shelf, { forms: [form = ''] }: Term): Promise<string[]> {
  if (form.length < SHORTEST_MISSPELT) return []
  const start = form.slice(0, shelf.records > LARGE ? 2 : 1)
  const listed = await shelf.terms(start, start + LAST, MOST_LISTED)
  const most = form.length >= SHORTEST_TWICE ? 2 : 1
  const near = listed.map(({ term, records }) => ({ term, records, distance: edits(form, term, most) }))
  const least = Math.min(...near.map(({ distance }) => distance), most + 1)
  const best = near.filter(({ distance }) => distance === least && distance <= most)
  return best
    .sort((a, b) => b.records - a.records || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_CORRECTIONS)
    .map(({ term }) => term)
}
