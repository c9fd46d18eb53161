import { editDistance } from '../../../edit-distance.ts'
import type { TermCount } from '../../../store/search.ts'
import { fold } from '../../../text/fold.ts'
import type { SearchBudget } from '../candidates.ts'
import { afterTerm, LAST_TERM, MAX_POSTINGS, type SearchIndex } from '../index/search-index.ts'
import type { QueryTerm } from './parse-query.ts'

/** Minimum length in letters of a word that is corrected by one edit, and by two. */
const MIN_LETTERS = 4
const MIN_LETTERS_FOR_TWO_EDITS = 8
/** Maximum number of corrections of one word; all of them are searched for. */
const MAX_CORRECTIONS = 3
/**
 * In a project with more records a correction must share the first two letters with the word, otherwise one: about a
 * twentieth of all terms share one letter.
 */
const LARGE_PROJECT_RECORDS = 5_000
/** Longest prefix that a correction must share with the word. */
const MAX_PREFIX_LETTERS = 4
/**
 * Maximum number of terms with a common prefix that are compared with the word; if there are more, the prefix is made
 * one letter longer.
 */
const MAX_COMPARED_TERMS = 4_096
/** Terms listed by one read. */
const TERMS_PER_READ = 512
/** Maximum number of terms at the same distance whose document frequencies are counted. */
const MAX_COUNTED_TERMS = 64

type NearTerm = TermCount & { distance: number }

/**
 * The three most frequent among the terms of the index that are the fewest edits away from any stem of an unknown word.
 * Terms that share a prefix with the word are listed and compared; for an edit within that prefix, every possible
 * respelling is looked up. Lists at most what the budget allows.
 */
export async function suggestCorrections(
  index: SearchIndex,
  { word, indexTerms }: QueryTerm,
  budget: SearchBudget,
): Promise<string[]> {
  const stems = indexTerms.filter(({ length }) => length >= MIN_LETTERS)
  const { near, compared } = await findNear(index, word, stems, budget)
  const atDistance = (wanted: number) => near.filter(({ distance }) => distance === wanted)
  for (const distance of [0, 1]) {
    const found = await mostFrequent(index, atDistance(distance))
    if (found.length > 0) return found
  }
  const respelled = [...new Set(compared.flatMap(({ stem, letters }) => respellBeginning(stem, letters)))]
  const contained = await index.containsTerms(respelled)
  const known = respelled.filter((_, at) => contained[at]).sort()
  return known.length > 0 ? known.slice(0, MAX_CORRECTIONS) : mostFrequent(index, atDistance(2))
}

/**
 * The terms with the prefix of a stem that are near enough to it; and how many letters the terms compared with each
 * stem share with it.
 */
async function findNear(
  index: SearchIndex,
  word: string,
  stems: string[],
  budget: SearchBudget,
): Promise<{ near: NearTerm[]; compared: { stem: string; letters: number }[] }> {
  const near = new Map<string, NearTerm>()
  const listed = new Map<string, TermCount[] | undefined>()
  const compared: { stem: string; letters: number }[] = []
  for (const stem of stems) {
    let letters = index.records > LARGE_PROJECT_RECORDS ? 2 : 1
    for (; letters <= MAX_PREFIX_LETTERS; letters++) {
      const prefix = stem.slice(0, letters)
      const isNew = !listed.has(prefix)
      if (isNew) listed.set(prefix, await listByPrefix(index, prefix, letters === MAX_PREFIX_LETTERS, budget))
      const terms = listed.get(prefix)
      if (terms === undefined) continue
      if (isNew) addNear(near, word, stems, terms)
      break
    }
    compared.push({ stem, letters: Math.min(letters, stem.length) })
  }
  return { near: [...near.values()], compared }
}

/** Adds the terms that are near enough to any of the stems. */
function addNear(near: Map<string, NearTerm>, word: string, stems: string[], terms: TermCount[]): void {
  for (const { term, records } of terms) {
    let distance = Number.POSITIVE_INFINITY
    for (const stem of stems) distance = Math.min(distance, distanceOf(word, stem, term))
    if (distance < Number.POSITIVE_INFINITY) near.set(term, { term, records, distance })
  }
}

/**
 * The terms with this prefix. If there are more than are compared: the first of them with `mayCut`, otherwise
 * undefined.
 */
async function listByPrefix(
  index: SearchIndex,
  prefix: string,
  mayCut: boolean,
  budget: SearchBudget,
): Promise<TermCount[] | undefined> {
  const listed: TermCount[] = []
  for (let first = prefix; listed.length < MAX_COMPARED_TERMS && budget.listedTerms > 0; ) {
    const page = await index.listTerms(first, prefix + LAST_TERM, TERMS_PER_READ)
    budget.listedTerms -= page.length
    listed.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < TERMS_PER_READ) return listed
    first = afterTerm(last.term)
  }
  return mayCut ? listed : undefined
}

/** The terms with the largest document frequencies, without those that no record of the index holds. */
async function mostFrequent(index: SearchIndex, terms: TermCount[]): Promise<string[]> {
  const likely = terms.sort(byFrequency).slice(0, MAX_COUNTED_TERMS)
  const counted = (await countRecords(index, likely)).filter(({ records }) => records > 0)
  return counted
    .sort(byFrequency)
    .slice(0, MAX_CORRECTIONS)
    .map(({ term }) => term)
}

async function countRecords(index: SearchIndex, terms: TermCount[]): Promise<TermCount[]> {
  if (index.hasExactTermCounts)
    return terms.map(({ term, records }) => ({ term, records: Math.min(records, MAX_POSTINGS) }))
  const postings = terms.length === 0 ? [] : await index.findPostings(terms.map(({ term }) => [term]))
  return terms.map(({ term }, at) => ({ term, records: postings[at]?.length ?? 0 }))
}

function byFrequency(a: TermCount, b: TermCount): number {
  return b.records - a.records || (a.term < b.term ? -1 : 1)
}

/**
 * Edit distance between a stem and a term; infinite if it exceeds what a stem of its length may have. Stems of some
 * languages are prefixes of a fixed length; there, a letter added to or missing from the word moves the cut by one, so
 * the word cut one letter earlier and later is compared too.
 */
function distanceOf(word: string, stem: string, term: string): number {
  const max = stem.length >= MIN_LETTERS_FOR_TWO_EDITS ? 2 : 1
  if (term.length === stem.length && fold(term) === stem) return 0
  const direct = editDistance(stem, term, max)
  if (direct <= 1) return direct
  const isCut = term.length === stem.length && word.length > stem.length
  const moved = isCut ? [-1, 1].map((by) => editDistance(word.slice(0, stem.length + by), term, max)) : []
  const least = Math.min(direct, ...moved)
  return least <= max ? least : Number.POSITIVE_INFINITY
}

/**
 * For each script, the letters tried as replacements and insertions. In other scripts only omissions and swaps are
 * tried.
 */
const ALPHABETS: [RegExp, string][] = [
  [/\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяєіїґ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטיכלמנסעפצקרשת'],
  [/\p{Script=Arabic}/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژگ'],
  [/\p{Script=Devanagari}/u, 'अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'],
]

/**
 * Every spelling that differs from a word by one edit in its first `letters` letters: one replaced, added, left out, or
 * swapped with the next.
 */
export function respellBeginning(word: string, letters: number): string[] {
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1] ?? ''
  const found = new Set<string>()
  for (let at = 0; at < letters; at++) {
    const before = word.slice(0, at)
    const [here, after] = [word.slice(at), word.slice(at + 1)]
    found.add(before + after)
    found.add(before + after.slice(0, 1) + here.slice(0, 1) + after.slice(1))
    for (const letter of alphabet) {
      found.add(before + letter + after)
      found.add(before + letter + here)
    }
  }
  found.delete(word)
  return [...found]
}
