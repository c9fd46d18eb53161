import { LANGUAGES, type Language } from '../../text/language.ts'
import { stem } from '../../text/stem.ts'
import type { Budget } from './budget.ts'
import { suggestCorrections } from './corrections.ts'
import type { QueryTerm } from './query-term.ts'
import { afterTerm, LAST_TERM, type SearchIndex } from './search-index.ts'

/** Known words found inside an unknown one: half of its weight each was as good as 0.8. */
const SPLIT_SHARE = 0.5
const MIN_PART_LETTERS = 3
/** A part that is known where the rest of the word is not. */
const MIN_SINGLE_PART_LETTERS = 5
/** Pairs or triples of characters that begin with what was asked, or codes and numbers. */
const MAX_PREFIX_TERMS = 64
/** The beginning of a code or a number that is long enough to stand for it. */
const MIN_PREFIX_CHARACTERS = 6

/** Share of the records from which on a language takes part in taking words apart: each has every part stemmed and looked up once more. */
const LANGUAGE_SHARE = 0.005

const MAX_CACHED_EXPANSIONS = 200

const LETTERS = /^[\p{L}\p{M}]+$/u
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+$/u

/** Terms that may stand in for one that no record holds, most likely first; none where there is nothing like it. */
export async function expandTerm(shelf: SearchIndex, term: QueryTerm, budget: Budget): Promise<QueryTerm[]> {
  const name = `${term.word} ${term.share} ${term.forms.join(' ')}`
  const known = shelf.known?.get(name) ?? (await findInstead(shelf, term, budget))
  if ((shelf.known?.size ?? MAX_CACHED_EXPANSIONS) < MAX_CACHED_EXPANSIONS) shelf.known?.set(name, known)
  return known
}

async function findInstead(shelf: SearchIndex, term: QueryTerm, budget: Budget): Promise<QueryTerm[]> {
  if (UNSPACED.test(term.word)) return asList(term, await findLonger(shelf, term.word, budget), 1)
  if (!LETTERS.test(term.word))
    return term.word.length < MIN_PREFIX_CHARACTERS ? [] : asList(term, await findLonger(shelf, term.word, budget), 1)
  const foreign = toStems(term.word, languagesOf(shelf, 1)).filter((form) => !term.forms.includes(form))
  if ((await shelf.isHeld(foreign)).includes(true)) return asList(term, foreign, 1)
  const languages = languagesOf(shelf, shelf.records * LANGUAGE_SHARE)
  const parts = await findParts(shelf, term.word, languages)
  if (parts.length > 0) return parts.flatMap((part) => asList({ ...term, word: part }, toStems(part, languages), SPLIT_SHARE))
  const corrections = await suggestCorrections(shelf, term, budget)
  return corrections.length > 0 ? asList(term, corrections, 1) : asList(term, await findPart(shelf, term.word, languages), SPLIT_SHARE)
}

function asList(term: QueryTerm, forms: string[], share: number): QueryTerm[] {
  return forms.length === 0 ? [] : [{ ...term, forms, form: undefined, share: term.share * share }]
}

/** The languages that at least so many records were saved in, and English. */
function languagesOf(shelf: SearchIndex, least: number): Language[] {
  const spoken = shelf.languages.filter(({ records }) => records >= least)
  const read = new Set(['en', ...spoken.map(({ language }) => language)])
  return LANGUAGES.filter((language) => read.has(language))
}

function toStems(word: string, languages: Language[]): string[] {
  return [...new Set(languages.map((language) => stem(word, language)))]
}

/** The first terms that begin with what was asked, of those that a record holds. */
async function findLonger(shelf: SearchIndex, word: string, budget: Budget): Promise<string[]> {
  const found: string[] = []
  for (let first = word; found.length < MAX_PREFIX_TERMS && budget.terms > 0; ) {
    const page = (await shelf.terms(first, word + LAST_TERM, MAX_PREFIX_TERMS)).map(({ term }) => term)
    budget.terms -= page.length
    const held = shelf.isSole ? undefined : await shelf.isHeld(page)
    found.push(...page.filter((_, at) => held?.[at] ?? true))
    const last = page.at(-1)
    if (last === undefined || page.length < MAX_PREFIX_TERMS) break
    first = afterTerm(last)
  }
  return found.slice(0, MAX_PREFIX_TERMS)
}

/** The longest known beginning or end of a word, in its stems. */
async function findPart(shelf: SearchIndex, word: string, languages: Language[]): Promise<string[]> {
  const ends = Array.from({ length: Math.max(0, word.length - MIN_SINGLE_PART_LETTERS) }, (_, at) => word.length - 1 - at)
  const parts = ends.flatMap((length) => [word.slice(0, length), word.slice(-length)])
  const [longest] = await filterHeld(shelf, parts, (part) => toStems(part, languages))
  return longest === undefined ? [] : toStems(longest, languages)
}

/** The two known words a word was run together from; the longest first part wins. */
async function findParts(shelf: SearchIndex, word: string, languages: Language[]): Promise<string[]> {
  const cuts = Array.from({ length: Math.max(0, word.length - 2 * MIN_PART_LETTERS + 1) }, (_, at) => word.length - MIN_PART_LETTERS - at)
  const pairs = cuts.map((cut) => [word.slice(0, cut), word.slice(cut)] as const)
  const begun = await filterHeld(shelf, pairs, ([first]) => toStems(first, languages))
  const [whole = []] = await filterHeld(shelf, begun, ([, last]) => toStems(last, languages))
  return [...whole]
}

async function filterHeld<Part>(shelf: SearchIndex, parts: Part[], stemsOf: (part: Part) => string[]): Promise<Part[]> {
  const stems = parts.map(stemsOf)
  const asked = [...new Set(stems.flat())]
  const answers = asked.length === 0 ? [] : await shelf.isHeld(asked)
  const held = new Set(asked.filter((_, at) => answers[at]))
  return parts.filter((_, at) => stems[at]?.some((form) => held.has(form)))
}
