import { LANGUAGES, type Language } from '../../text/language.ts'
import type { Budget } from './budget.ts'
import { expandTerm } from './expand-query.ts'
import { toWeightedTerm } from './idf.ts'
import { parseQuery } from './parse-query.ts'
import type { QueryTerm, WeightedTerm } from './query-term.ts'
import { MAX_POSTINGS, type SearchIndex } from './search-index.ts'
import type { WeightedPostings } from './top-k.ts'

/** Who holds a word. `isWhole` where nobody else does. */
export type TermPostings = WeightedPostings & { isWhole: boolean }

/** The words of a question and who holds them, in the same order. */
export type QueryPostings = { terms: WeightedTerm[]; lists: TermPostings[] }

type Looked = { term: QueryTerm; holders: Uint32Array }

/** A language takes part in reading a question when so large a share of the records is in it. */
const LANGUAGE_SHARE = 0.05
/** Words of a question beyond these are left out, and unknown words beyond these are not repaired: a pasted page must not hold up others. */
const MAX_QUERY_TERMS = 128
const MAX_EXPANDED_TERMS = 8
const NONE = new Uint32Array()

/** Weighs the words of a query and finds who holds them. */
export async function readPostings(shelf: SearchIndex, query: string, budget: Budget): Promise<QueryPostings> {
  const asked = parseQuery(query, spokenIn(shelf), MAX_QUERY_TERMS)
  const rare = await lookUpTerms(shelf, asked, budget)
  const looked = rare.some(({ holders }) => holders.length > 0) ? rare : await lookUpTerms(shelf, asked.map(toRare), budget)
  const terms = looked.map(({ term, holders }) => toWeightedTerm(term, estimate(holders, shelf.records), shelf.records))
  return { terms, lists: await toLists(shelf, looked, terms) }
}

/** Where no word that says something is known, the others must do. */
const toRare = (term: QueryTerm): QueryTerm => (term.use === 'weak' ? { ...term, use: 'rare' } : term)

function spokenIn(shelf: SearchIndex): Language[] {
  const spoken = LANGUAGES.filter((language) =>
    shelf.languages.some((one) => one.language === language && one.records >= shelf.records * LANGUAGE_SHARE),
  )
  return [...spoken, 'en']
}

/** A character by itself stands for all pairs that begin with it: as a term of its own it is held only by texts that end a run with it. */
const SHORT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

/** Who holds each term; a term nobody holds gives way to what may stand in for it. */
async function lookUpTerms(shelf: SearchIndex, asked: QueryTerm[], budget: Budget): Promise<Looked[]> {
  const rare = asked.filter(({ use }) => use === 'rare')
  const found = await holdersOf(shelf, rare)
  const unknown =
    shelf.records === 0
      ? []
      : found.filter(({ term, holders }) => holders.length === 0 || SHORT.test(term.word)).slice(0, MAX_EXPANDED_TERMS)
  const instead = new Map<QueryTerm, Looked[]>()
  for (const { term } of unknown) instead.set(term, await holdersOf(shelf, await expandTerm(shelf, term, budget)))
  const others = asked.filter(({ use }) => use !== 'rare').map((term) => ({ term, holders: NONE }))
  return [...found.flatMap((looked) => orElse(instead.get(looked.term), looked)), ...others]
}

/**
 * The holders of each term, weighed. A common term, of which only the newest holders were read, counts for those records that hold a
 * rarer word, however old they are: a record with all the words must not lose to newer ones with some.
 */
async function toLists(shelf: SearchIndex, looked: Looked[], terms: WeightedTerm[]): Promise<TermPostings[]> {
  const isCut = ({ holders }: Looked) => holders.length >= MAX_POSTINGS
  const rarer = rarestOf(looked.filter((one) => one.holders.length > 0 && !isCut(one))).flatMap(({ term }) => term.forms)
  const cut = rarer.length === 0 ? [] : looked.filter(isCut)
  const groups = cut.map(({ term }) => term.forms)
  const whole = cut.length === 0 ? [] : await shelf.postings(groups, rarer)
  return looked.map((one, at) => {
    const isWhole = one.term.use === 'rare' && !isCut(one)
    return { seqs: whole[cut.indexOf(one)] ?? one.holders, weight: terms[at]?.weight ?? 0, isWhole }
  })
}

/** The rarest words, until they have as many holders as are read of a common one: more could take no place that matters. */
function rarestOf(looked: Looked[]): Looked[] {
  let left = MAX_POSTINGS
  return looked
    .toSorted((a, b) => a.holders.length - b.holders.length)
    .filter(({ holders }) => {
      const isTaken = left > 0
      left -= holders.length
      return isTaken
    })
}

async function holdersOf(shelf: SearchIndex, terms: QueryTerm[]): Promise<Looked[]> {
  const holders = terms.length === 0 ? [] : await shelf.postings(terms.map(({ forms }) => forms))
  return terms.map((term, at) => ({ term, holders: holders[at] ?? NONE }))
}

function orElse(instead: Looked[] | undefined, looked: Looked): Looked[] {
  return instead === undefined || instead.length === 0 ? [looked] : instead
}

/** How many records hold a term of which only the newest holders were read: as many in each stretch of numbers as in the one read. */
function estimate(holders: Uint32Array, records: number): number {
  const newest = holders[0] ?? 0
  const oldest = holders[holders.length - 1] ?? 0
  return holders.length < MAX_POSTINGS ? holders.length : Math.min(records, (holders.length * newest) / (newest - oldest + 1))
}
