import type { ProjectReads } from '../../store/project.ts'
import { ask } from '../rank/ask.ts'
import { gather, type List } from '../rank/gather.ts'
import { lend } from '../rank/lend.ts'
import { createMatcher, type Doc, type Match } from '../rank/match.ts'
import type { Term, Weighed } from '../rank/term.ts'
import { sumOf } from '../rank/to-score.ts'
import { weigh } from '../rank/weigh.ts'
import { LANGUAGES, type Language } from '../words/stop.ts'
import { repair } from './repair.ts'
import { MOST_HOLDERS, type Shelf } from './shelf.ts'

/** A record and what it is worth to the question: by itself, and with what its neighbours lend it. */
export type Ranked = { seq: number; own: Match; lent: Match; worth: number }

/** The answer before any row is read. `complete` when no other record holds a word of the question. */
export type Finding = { terms: Weighed[]; ranked: Ranked[]; complete: boolean }

/** A language takes part in reading a question when so large a share of the records is in it. */
const SPOKEN = 0.05
/** Best records whose neighbours are looked at. */
const WINDOWS = 20
/** The best of them whose neighbours are ranked too when they hold no rare word themselves. */
const NEAR = 10

type Looked = { term: Term; holders: Uint32Array }

const NONE = new Uint32Array()

/** Ranks the `width` likeliest records of a shelf, and their neighbours, by the whole question, best first. */
export async function find(project: ProjectReads, shelf: Shelf, query: string, width: number): Promise<Finding> {
  const asked = ask(query, await spokenIn(project, shelf))
  const rare = await lookUp(project, shelf, asked)
  const looked = rare.some(({ holders }) => holders.length > 0) ? rare : await lookUp(project, shelf, asked.map(toRare))
  const terms = looked.map(({ term, holders }) => weigh(term, estimate(holders, shelf.records), shelf.records))
  const lists = await toLists(shelf, looked, terms)
  const gathered = gather(lists, width)
  const matcher = createMatcher(terms, shelf.length / shelf.records)
  const likely = gathered.map(({ seq }) => seq)
  const ranked = await rankAll(shelf, lists, likely, matcher)
  return { terms, ranked, complete: gathered.length < width }
}

/** Where no word that says something is known, the others must do. */
const toRare = (term: Term): Term => (term.use === 'weak' ? { ...term, use: 'rare' } : term)

async function spokenIn(project: ProjectReads, shelf: Shelf): Promise<Language[]> {
  const tongues = await project.readTongues()
  const spoken = LANGUAGES.filter((language) =>
    tongues.some((tongue) => tongue.language === language && tongue.records >= shelf.records * SPOKEN),
  )
  return [...spoken, 'en']
}

/** Who holds each term; a term nobody holds gives way to what may stand in for it. */
async function lookUp(project: ProjectReads, shelf: Shelf, asked: Term[]): Promise<Looked[]> {
  const rare = asked.filter(({ use }) => use === 'rare')
  const found = await holdersOf(shelf, rare)
  const unknown = found.filter(({ holders }) => holders.length === 0 && shelf.records > 0)
  const instead = new Map<Term, Looked[]>()
  for (const { term } of unknown) instead.set(term, await holdersOf(shelf, await repair(project, shelf, term)))
  const others = asked.filter(({ use }) => use !== 'rare').map((term) => ({ term, holders: NONE }))
  return [...found.flatMap((looked) => orElse(instead.get(looked.term), looked)), ...others]
}

/**
 * The holders of each term, weighed. A common term, of which only the newest holders were read, counts for those records that hold a
 * rarer word, however old they are: a record with all the words must not lose to newer ones with some.
 */
async function toLists(shelf: Shelf, looked: Looked[], terms: Weighed[]): Promise<List[]> {
  const isCut = ({ holders }: Looked) => holders.length >= MOST_HOLDERS
  const rarer = looked.filter((one) => one.holders.length > 0 && !isCut(one)).flatMap(({ term }) => term.forms)
  const cut = rarer.length === 0 ? [] : looked.filter(isCut)
  const whole =
    cut.length === 0
      ? []
      : await shelf.holders(
          cut.map(({ term }) => term.forms),
          rarer,
        )
  return looked.map((one, at) => ({ seqs: whole[cut.indexOf(one)] ?? one.holders, weight: terms[at]?.weight ?? 0 }))
}

async function holdersOf(shelf: Shelf, terms: Term[]): Promise<Looked[]> {
  const holders = terms.length === 0 ? [] : await shelf.holders(terms.map(({ forms }) => forms))
  return terms.map((term, at) => ({ term, holders: holders[at] ?? NONE }))
}

function orElse(instead: Looked[] | undefined, looked: Looked): Looked[] {
  return instead === undefined || instead.length === 0 ? [looked] : instead
}

/** How many records hold a term of which only the newest holders were read: as many in each stretch of numbers as in the one read. */
function estimate(holders: Uint32Array, records: number): number {
  const newest = holders[0] ?? 0
  const oldest = holders[holders.length - 1] ?? 0
  return holders.length < MOST_HOLDERS ? holders.length : Math.min(records, (holders.length * newest) / (newest - oldest + 1))
}

async function rankAll(shelf: Shelf, lists: List[], seqs: number[], matcher: (doc: Doc) => Match): Promise<Ranked[]> {
  const own = new Map<number, Match>()
  const match = (docs: Map<number, Doc>, wanted: number[]) => {
    for (const seq of wanted) {
      const doc = docs.get(seq)
      if (doc !== undefined && !own.has(seq)) own.set(seq, matcher(doc))
    }
  }
  match(await shelf.docs(seqs), seqs)
  const best = [...own].map(([seq, found]) => ({ seq, worth: sumOf(found) })).sort(byWorth)
  const windows = await readWindows(
    shelf,
    best.slice(0, WINDOWS).map(({ seq }) => seq),
  )
  const near = new Set(windows.slice(0, NEAR).flat())
  const beside = [...new Set(windows.flat())].filter(
    (seq) => !own.has(seq) && (near.has(seq) || lists.some(({ seqs }) => holds(seqs, seq))),
  )
  if (beside.length > 0) match(await shelf.docs(beside), beside)
  return withNeighbours(own, windows)
}

/** Whether a number is in a list of falling numbers. */
function holds(falling: Uint32Array, seq: number): boolean {
  let [low, high] = [0, falling.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((falling[middle] ?? 0) > seq) low = middle + 1
    else high = middle
  }
  return falling[low] === seq
}

/** Each record between its neighbours, in the order of the records. */
async function readWindows(shelf: Shelf, seqs: number[]): Promise<number[][]> {
  const found = new Map((await shelf.neighbours(seqs)).map((neighbours) => [neighbours.seq, neighbours]))
  const known = seqs.map((seq) => found.get(seq)).filter((neighbours) => neighbours !== undefined)
  return known.map(({ seq, before, after }) => [...before.toReversed(), seq, ...after])
}

/** Every record that matches anything itself, with the best that any window lends it. */
function withNeighbours(own: Map<number, Match>, windows: number[][]): Ranked[] {
  const lent = new Map<number, Match>()
  for (const window of windows) {
    const matches = window.map((seq) => own.get(seq))
    window.forEach((seq, at) => {
      const before = [matches[at - 1], matches[at - 2]]
      const after = [matches[at + 1], matches[at + 2]]
      const match = lent.get(seq) ?? own.get(seq)
      if (match !== undefined) lent.set(seq, lend(match, { before, after }))
    })
  }
  const all = [...own].map(([seq, match]) => ({ seq, own: match, lent: lent.get(seq) ?? match }))
  return all
    .filter(({ own: match }) => sumOf(match) > 0)
    .map((found) => ({ ...found, worth: sumOf(found.lent) }))
    .sort(byWorth)
}

function byWorth(a: { seq: number; worth: number }, b: { seq: number; worth: number }): number {
  return b.worth - a.worth || b.seq - a.seq
}
