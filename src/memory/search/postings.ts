import { LANGUAGES, type Language } from '../../text/language.ts'
import type { SearchBudget, WeightedPostings } from './candidates.ts'
import { MAX_POSTINGS, type SearchIndex } from './index/search-index.ts'
import { expandTerm, findJoined, stemsInAnyLanguage } from './query/expand-query.ts'
import { parseQuery, type QueryTerm } from './query/parse-query.ts'
import { findUnknownWords, type HeldTerms } from './unknown-words.ts'
import { toWeightedTerm, type WeightedTerm } from './weigh-term.ts'

/** The records that hold a term. `isComplete`: no other record of the index does. */
export type TermPostings = WeightedPostings & { isComplete: boolean }

/**
 * The terms of a query and its other wordings, and their posting lists, in the same order. Stop words and single
 * characters have empty lists. `unknown` names the words of the query that no record of the index holds in any form.
 */
export type QueryPostings = { terms: WeightedTerm[]; lists: TermPostings[]; unknown: string[] }

/** A term and the numbers of the records that hold it, in descending order; at most `MAX_POSTINGS`. */
type FoundTerm = { term: QueryTerm; seqs: Uint32Array }

/** A language that at least this share of the records is in is used for every query, beside the query's own. */
const MIN_LANGUAGE_SHARE = 0.05
/**
 * Maximum number of terms of a query that are looked up, and of unknown terms that are expanded, in the query and in
 * its other wordings. The rest is ignored, which bounds the cost of a pasted page.
 */
const MAX_QUERY_TERMS = 128
const MAX_EXPANDED_TERMS = 8

/**
 * Parses a query and its other wordings, expands the terms of the query that no record holds, and reads the posting
 * list of each. If no rare term finds anything, stop words are looked up too.
 */
export async function readPostings(
  index: SearchIndex,
  wordings: string[],
  budget: SearchBudget,
): Promise<QueryPostings> {
  const parsed = await parseWordings(wordings, languagesOf(index))
  const rare = await findTerms(index, parsed, budget)
  const isAnyFound = rare.found.some(isFound)
  const { found } = isAnyFound ? rare : await findTerms(index, parsed.map(toRare), budget)
  const terms = found.map(({ term, seqs }) => toWeightedTerm(term, estimateRecords(seqs, index.records), index.records))
  return {
    terms,
    lists: await toLists(index, found, terms),
    unknown: await findUnknownWords(parsed.filter(isOfQuery), rare.held),
  }
}

const isPlainWord = ({ isEnding, compound, name }: QueryTerm) =>
  !isEnding && compound === undefined && name !== undefined
const isOfQuery = ({ wordings }: QueryTerm) => wordings.includes(0)

/** The distinct terms of all wordings, those of the query first. A term of several wordings is looked up once. */
async function parseWordings(wordings: string[], languages: Language[]): Promise<QueryTerm[]> {
  const terms = new Map<string, QueryTerm>()
  for (const [at, wording] of wordings.entries()) {
    for (const term of await parseQuery(wording, languages, MAX_QUERY_TERMS - terms.size, at)) {
      const key = JSON.stringify([term.indexTerms, term.use, term.share, term.compound?.text])
      const known = terms.get(key)
      if (known === undefined) terms.set(key, term)
      else known.wordings.push(at)
    }
  }
  return [...terms.values()]
}

const toRare = (term: QueryTerm): QueryTerm => (term.use === 'weak' ? { ...term, use: 'rare' } : term)

function languagesOf(index: SearchIndex): Language[] {
  const frequent = LANGUAGES.filter((language) =>
    index.languages.some((one) => one.language === language && one.records >= index.records * MIN_LANGUAGE_SHARE),
  )
  return [...frequent, 'en']
}

/**
 * A single character of a script that is indexed as pairs. The index has it as a term only for texts in which it stands
 * alone or last in its run.
 */
const PAIRED_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

/**
 * The postings of each rare term, or of its expansions if it has none, followed by the other terms without postings.
 * `held` has the postings of each rare term that a record holds in any form.
 */
async function findTerms(
  index: SearchIndex,
  terms: QueryTerm[],
  budget: SearchBudget,
): Promise<{ found: FoundTerm[]; held: HeldTerms }> {
  const found = await findEach(
    index,
    terms.filter(({ use }) => use === 'rare'),
  )
  const held: HeldTerms = new Map(found.filter(isFound).map(({ term, seqs }) => [term, [seqs]]))
  const inCompounds = new Set(found.filter((one) => one.term.isEnding && isFound(one)).map(({ term }) => term.word))
  const isGuessed = ({ isEnding, word }: QueryTerm) => !isEnding && !inCompounds.has(word)
  const unknown = found.filter(
    ({ term, seqs }) => isOfQuery(term) && isGuessed(term) && (seqs.length === 0 || PAIRED_CHARACTER.test(term.word)),
  )
  const expanded = await readInAnyLanguage(
    index,
    found.filter(({ term, seqs }) => !isOfQuery(term) && isGuessed(term) && seqs.length === 0),
  )
  for (const { term } of index.records === 0 ? [] : unknown.slice(0, MAX_EXPANDED_TERMS)) {
    const { terms: others, isSameWord } = await expandTerm(index, term, budget)
    const expansion = await findEach(index, others)
    if (expansion.length > 0) expanded.set(term, expansion)
    const lists = expansion.filter(isFound).map(({ seqs }) => seqs)
    if (isSameWord && lists.length > 0) held.set(term, [...(held.get(term) ?? []), ...lists])
  }
  const words = found.filter(({ term }) => isOfQuery(term) && isPlainWord(term)).slice(0, MAX_EXPANDED_TERMS)
  for (const [at, second] of words.entries()) {
    const pair = [words[at - 1] ?? second, second]
    if (pair.every(({ term }) => held.has(term))) continue
    const joined = await readJoined(index, pair)
    if (joined.length > 0) expanded.set(second.term, [...(expanded.get(second.term) ?? [second]), ...joined])
    for (const { term } of joined.length > 0 ? pair : [])
      held.set(term, [...(held.get(term) ?? []), ...joined.map(({ seqs }) => seqs)])
  }
  const others = terms.filter(({ use }) => use !== 'rare').map((term) => ({ term, seqs: new Uint32Array() }))
  return { found: [...found.flatMap((one) => expanded.get(one.term) ?? [one]), ...others], held }
}

/**
 * Postings of words of other wordings that no record holds, by their stems in every language of the records: the
 * language of a few words is uncertain. They are guesses already, and need no correction.
 */
async function readInAnyLanguage(index: SearchIndex, unknown: FoundTerm[]): Promise<Map<QueryTerm, FoundTerm[]>> {
  const read = unknown.slice(0, MAX_EXPANDED_TERMS)
  const terms = read.map(({ term }) => ({ ...term, indexTerms: stemsInAnyLanguage(index, term.word) }))
  const found = await findEach(index, terms)
  return new Map(read.map(({ term }, at) => [term, found.slice(at, at + 1)]))
}

/** The postings of two words of a query written as one, if a record holds them so. */
async function readJoined(index: SearchIndex, [first, second]: FoundTerm[]): Promise<FoundTerm[]> {
  if (first === undefined || second === undefined || first === second) return []
  const indexTerms = await findJoined(index, first.term.word, second.term.word)
  const found = await findEach(index, indexTerms.length === 0 ? [] : [{ ...second.term, indexTerms, form: undefined }])
  return found.filter(isFound)
}

const isFound = ({ seqs }: FoundTerm) => seqs.length > 0

async function findEach(index: SearchIndex, terms: QueryTerm[]): Promise<FoundTerm[]> {
  const lists = terms.length === 0 ? [] : await index.findPostings(terms.map(({ indexTerms }) => indexTerms))
  return terms.map((term, at) => ({ term, seqs: lists[at] ?? new Uint32Array() }))
}

/**
 * Weighted posting lists. The list of a common term was cut to the newest records; it is replaced by the list of the
 * records that hold it together with any of the rarer terms, so that an old record with all terms is not outranked by
 * newer ones with some.
 */
async function toLists(index: SearchIndex, found: FoundTerm[], terms: WeightedTerm[]): Promise<TermPostings[]> {
  const isCut = ({ seqs }: FoundTerm) => seqs.length >= MAX_POSTINGS
  const cut = found.filter(isCut)
  const rarer =
    cut.length === 0
      ? []
      : rarestOf(found.filter((one) => one.seqs.length > 0 && !isCut(one))).flatMap(({ term }) => term.indexTerms)
  const groups = cut.map(({ term }) => term.indexTerms)
  const joined = rarer.length === 0 ? [] : await index.findPostings(groups, rarer)
  return found.map((one, at) => ({
    seqs: joined[cut.indexOf(one)] ?? one.seqs,
    weight: terms[at]?.weight ?? 0,
    isComplete: one.term.use === 'rare' && !isCut(one),
  }))
}

/**
 * The rarest terms, until together they have `MAX_POSTINGS` records; records that hold none of them are unlikely to be
 * among the best.
 */
function rarestOf(found: FoundTerm[]): FoundTerm[] {
  let left = MAX_POSTINGS
  return found
    .toSorted((a, b) => a.seqs.length - b.seqs.length)
    .filter(({ seqs }) => {
      const isTaken = left > 0
      left -= seqs.length
      return isTaken
    })
}

/**
 * Number of records that hold a term. For a cut list it is extrapolated: as frequent in the rest of the numbers as in
 * the range that was read.
 */
function estimateRecords(seqs: Uint32Array, records: number): number {
  if (seqs.length < MAX_POSTINGS) return seqs.length
  const [newest, oldest] = [seqs[0] ?? 0, seqs[seqs.length - 1] ?? 0]
  return Math.min(records, (seqs.length * newest) / (newest - oldest + 1))
}
