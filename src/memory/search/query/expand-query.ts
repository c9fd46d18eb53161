import { inflect, swapNeighbours } from '../../../text/inflections.ts'
import { LANGUAGES, type Language } from '../../../text/language.ts'
import { endingsOf, stem } from '../../../text/stem.ts'
import type { SearchBudget } from '../candidates.ts'
import { afterTerm, LAST_TERM, type SearchIndex } from '../index/search-index.ts'
import { ENDING_SHARE, PART_SHARE } from '../weights.ts'
import { suggestCorrections } from './corrections.ts'
import type { QueryTerm } from './parse-query.ts'

/** Minimum length in letters of each of the two known words that an unknown word is split into. */
const MIN_PART_LETTERS = 3
/** Minimum length in letters of a known beginning or end of a word whose rest is unknown. */
const MIN_SINGLE_PART_LETTERS = 5
/** Maximum number of terms that a prefix expands to. */
const MAX_PREFIX_TERMS = 64
/** Minimum length of a code or number that is expanded to the terms that begin with it. */
const MIN_PREFIX_CHARACTERS = 6
/**
 * A language takes part in splitting words if at least this share of the records is in it: each language costs another
 * stem and lookup of every part.
 */
const MIN_LANGUAGE_SHARE = 0.005

const LETTERS = /^[\p{L}\p{M}]+$/u
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+$/u

/** What is searched for instead of a term. `isSameWord`: these are other forms or parts of the word, not a guess. */
type Expansion = { terms: QueryTerm[]; isSameWord: boolean }

const NOTHING: Expansion = { terms: [], isSameWord: false }

/**
 * Terms to search for instead of one that no record holds; possibly none. The first of these that finds something:
 * terms that begin with it (for scripts without spaces, codes and numbers); its stem in any language of the records;
 * the stem of another form of it, or of it with two neighbouring letters swapped; two known words it consists of;
 * corrections of a typing error; its longest known beginning or end.
 */
export async function expandTerm(index: SearchIndex, term: QueryTerm, budget: SearchBudget): Promise<Expansion> {
  const { word } = term
  const isUnspaced = UNSPACED.test(word)
  if (isUnspaced || !LETTERS.test(word)) {
    if (!isUnspaced && word.length < MIN_PREFIX_CHARACTERS) return NOTHING
    return { terms: toExpansion(term, await findByPrefix(index, word, budget), 1), isSameWord: true }
  }
  // The joined form of an identifier: its parts are terms themselves.
  if (term.name === undefined && term.compound?.isIdentifier) return NOTHING
  const otherStems = stemsInAnyLanguage(index, word).filter((one) => !term.indexTerms.includes(one))
  if ((await index.containsTerms(otherStems)).includes(true))
    return { terms: toExpansion(term, otherStems, 1), isSameWord: true }
  const languages = languagesOf(index, index.records * MIN_LANGUAGE_SHARE)
  const { forms, endings } = await findForms(index, word, languages)
  if (forms.length > 0) return { terms: toExpansion(term, forms, 1), isSameWord: true }
  if (endings.length > 0) return { terms: toExpansion(term, endings, ENDING_SHARE), isSameWord: true }
  const parts = await splitInTwo(index, word, languages)
  if (parts.length > 0) {
    const terms = parts.flatMap((part) => toExpansion({ ...term, word: part }, stemsOf(part, languages), PART_SHARE))
    return { terms, isSameWord: true }
  }
  const corrections = await suggestCorrections(index, term, budget)
  if (corrections.length > 0) return { terms: toExpansion(term, corrections, 1), isSameWord: false }
  return { terms: toExpansion(term, await findLongestPart(index, word, languages), PART_SHARE), isSameWord: false }
}

function toExpansion(term: QueryTerm, indexTerms: string[], share: number): QueryTerm[] {
  return indexTerms.length === 0 ? [] : [{ ...term, indexTerms, form: undefined, share: term.share * share }]
}

/** English, and the languages of at least `minRecords` records. */
function languagesOf(index: SearchIndex, minRecords: number): Language[] {
  const frequent = index.languages.filter(({ records }) => records >= minRecords)
  const names = new Set(['en', ...frequent.map(({ language }) => language)])
  return LANGUAGES.filter((language) => names.has(language))
}

/** Stems of other forms of a word that a record of the index holds, and such forms as the ends of compounds. */
async function findForms(index: SearchIndex, word: string, languages: Language[]) {
  const inflected = languages.flatMap((language) => inflect(word, language).map((form) => ({ form, language })))
  const stems = inflected.map(({ form, language }) => stem(form, language))
  const forms = await filterTerms(index, [...stems, ...swapNeighbours(word).flatMap((one) => stemsOf(one, languages))])
  const endings = inflected.flatMap(({ form, language }) => endingsOf(form, language))
  return { forms, endings: forms.length > 0 ? [] : await filterTerms(index, endings) }
}

/** The distinct terms that a record of the index holds. */
async function filterTerms(index: SearchIndex, terms: string[]): Promise<string[]> {
  const distinct = [...new Set(terms)]
  const contained = distinct.length === 0 ? [] : await index.containsTerms(distinct)
  return distinct.filter((_, at) => contained[at])
}

/** Stems that a record of the index holds of two words written as one. */
export async function findJoined(index: SearchIndex, first: string, second: string): Promise<string[]> {
  if (!LETTERS.test(first + second)) return []
  // The stem of a long word is its beginning in some languages, and may lack the second word.
  return filterTerms(
    index,
    stemsInAnyLanguage(index, first + second).filter(({ length }) => length > first.length),
  )
}

/** The distinct stems of a word in each language of the records. */
export const stemsInAnyLanguage = (index: SearchIndex, word: string) => stemsOf(word, languagesOf(index, 1))

function stemsOf(word: string, languages: Language[]): string[] {
  return [...new Set(languages.map((language) => stem(word, language)))]
}

/** The first terms with this prefix that a record of the index holds. */
async function findByPrefix(index: SearchIndex, prefix: string, budget: SearchBudget): Promise<string[]> {
  const found: string[] = []
  for (let first = prefix; found.length < MAX_PREFIX_TERMS && budget.listedTerms > 0; ) {
    const page = (await index.listTerms(first, prefix + LAST_TERM, MAX_PREFIX_TERMS)).map(({ term }) => term)
    budget.listedTerms -= page.length
    const contained = index.hasExactTermCounts ? undefined : await index.containsTerms(page)
    found.push(...page.filter((_, at) => contained?.[at] ?? true))
    const last = page.at(-1)
    if (last === undefined || page.length < MAX_PREFIX_TERMS) break
    first = afterTerm(last)
  }
  return found.slice(0, MAX_PREFIX_TERMS)
}

/** Splits a word into two known words, the first as long as possible; none if it does not consist of two. */
async function splitInTwo(index: SearchIndex, word: string, languages: Language[]): Promise<string[]> {
  const cuts = Array.from(
    { length: Math.max(0, word.length - 2 * MIN_PART_LETTERS + 1) },
    (_, at) => word.length - MIN_PART_LETTERS - at,
  )
  const pairs = cuts.map((cut) => [word.slice(0, cut), word.slice(cut)] as const)
  const begun = await filterKnown(index, pairs, ([first]) => stemsOf(first, languages))
  const [split = []] = await filterKnown(index, begun, ([, last]) => stemsOf(last, languages))
  return [...split]
}

/** Stems of the longest known beginning or end of a word. */
async function findLongestPart(index: SearchIndex, word: string, languages: Language[]): Promise<string[]> {
  const lengths = Array.from(
    { length: Math.max(0, word.length - MIN_SINGLE_PART_LETTERS) },
    (_, at) => word.length - 1 - at,
  )
  const parts = lengths.flatMap((length) => [word.slice(0, length), word.slice(-length)])
  const [longest] = await filterKnown(index, parts, (part) => stemsOf(part, languages))
  return longest === undefined ? [] : stemsOf(longest, languages)
}

/** The parts with at least one stem that is a term of the index. */
async function filterKnown<Part>(
  index: SearchIndex,
  parts: Part[],
  toStems: (part: Part) => string[],
): Promise<Part[]> {
  const stems = parts.map(toStems)
  const known = new Set(await filterTerms(index, stems.flat()))
  return parts.filter((_, at) => stems[at]?.some((one) => known.has(one)))
}
