import { yieldIfDue } from '../../cooperative.ts'
import { neighbourBoost } from './neighbour-boost.ts'
import type { QueryPostings, TermPostings } from './postings.ts'
import { sumOf } from './score.ts'
import { createScorer, type TermScores, type TokenizedRecord } from './scorer.ts'
import type { SearchIndex } from './search-index.ts'

/** A record and what it is worth to the question: by itself, and with what its neighbours lend it. */
export type Ranked = { seq: number; own: TermScores; lent: TermScores; worth: number }

/** Best records whose neighbours are looked at. */
const WINDOWS = 20
/** The best of them whose neighbours are ranked too when they hold no rare word themselves. */
const NEAR = 10

/** Ranks records, and the neighbours of the best of them, by the whole question, best first. */
export async function rankAll(shelf: SearchIndex, { terms, lists }: QueryPostings, seqs: number[]): Promise<Ranked[]> {
  const matcher = createScorer(terms, shelf.totalLength / shelf.records)
  const own = new Map<number, TermScores>()
  const match = async (docs: Map<number, TokenizedRecord>, wanted: number[]) => {
    for (const seq of wanted) {
      const due = yieldIfDue()
      if (due !== undefined) await due
      const doc = docs.get(seq)
      if (doc !== undefined && !own.has(seq)) own.set(seq, withoutMistaken(matcher(doc), seq, lists))
    }
  }
  await match(await shelf.docs(seqs), seqs)
  const best = [...own].map(([seq, found]) => ({ seq, worth: sumOf(found) })).sort(byWorth)
  const first = best.slice(0, WINDOWS).map(({ seq }) => seq)
  const windows = await readWindows(shelf, first)
  const near = new Set(windows.slice(0, NEAR).flat())
  const beside = [...new Set(windows.flat())].filter(
    (seq) => !own.has(seq) && (near.has(seq) || lists.some(({ seqs }) => holds(seqs, seq))),
  )
  if (beside.length > 0) await match(await shelf.docs(beside), beside)
  return withNeighbours(own, windows)
}

/** A match without words that the record does not hold: another word of it has the same code. */
function withoutMistaken(match: TermScores, seq: number, lists: TermPostings[]): TermScores {
  lists.forEach(({ seqs, isWhole }, at) => {
    if (isWhole && match[at] !== 0 && !holds(seqs, seq)) match[at] = 0
  })
  return match
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
async function readWindows(shelf: SearchIndex, seqs: number[]): Promise<number[][]> {
  const found = new Map((await shelf.neighbours(seqs)).map((neighbours) => [neighbours.seq, neighbours]))
  const known = seqs.map((seq) => found.get(seq)).filter((neighbours) => neighbours !== undefined)
  return known.map(({ seq, before, after }) => [...before.toReversed(), seq, ...after])
}

/** Every record that matches anything itself, with the best that any window lends it. */
function withNeighbours(own: Map<number, TermScores>, windows: number[][]): Ranked[] {
  const lent = new Map<number, TermScores>()
  for (const window of windows) {
    const matches = window.map((seq) => own.get(seq))
    window.forEach((seq, at) => {
      const before = [matches[at - 1], matches[at - 2]]
      const after = [matches[at + 1], matches[at + 2]]
      const match = lent.get(seq) ?? own.get(seq)
      if (match !== undefined) lent.set(seq, neighbourBoost(match, { before, after }))
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
