import type { Neighbours, StoredRecord, Visible } from '../../store/project.ts'
import type { Doc } from '../rank/match.ts'
import { type Analysed, analyse } from '../words/analyse.ts'
import { termBits, termOf } from '../words/hash.ts'
import type { Shelf } from './shelf.ts'

/** Up to so many records are held in memory and looked through without the index: that takes a tenth of the time of asking it. */
export const FEW = 64

const shelves = new WeakMap<StoredRecord[], Map<string, Shelf>>()

/** The shelf of a project so small that its records are all at hand. Made once for each array of records. */
export function toFewShelf(all: StoredRecord[], visible: Visible, workspaceId: number): Shelf {
  const made = shelves.get(all) ?? new Map<string, Shelf>()
  shelves.set(all, made)
  const name = `${workspaceId} ${visible?.join(' ')}`
  const shelf = made.get(name) ?? makeShelf(all.filter((record) => isSeen(record, visible, workspaceId)))
  made.set(name, shelf)
  return shelf
}

const isSeen = (record: StoredRecord, visible: Visible, workspaceId: number) =>
  record.workspaceId === workspaceId && (visible?.includes(record.audience) ?? true)

function makeShelf(records: StoredRecord[]): Shelf {
  const rows = new Map(records.map((record) => [record.seq, record]))
  const docs = new Map(records.map((record) => [record.seq, analyse(record.content)]))
  const terms = countTerms([...docs.values()])
  const holders = toHolders(docs)
  const beside = toNeighbours(records)
  const named = <Value>(seqs: number[], known: Map<number, Value>) =>
    seqs.map((seq) => known.get(seq)).filter((value) => value !== undefined)
  return {
    records: records.length,
    length: [...docs.values()].reduce((sum, { length }) => sum + length, 0),
    holders: async (groups) => groups.map((forms) => Uint32Array.from(union(forms.map((form) => holders.get(termBits(form)) ?? [])))),
    isHeld: async (terms) => terms.map((term) => holders.has(termBits(term))),
    terms: async (first, end, most) => terms.filter(({ term }) => term >= first && term < end).slice(0, most),
    docs: async () => docs,
    neighbours: async (seqs) => named(seqs, beside),
    known: new Map(),
    rows: async (seqs) => named(seqs, rows),
  }
}

/** For each hash of a term the records that hold it, newest first. */
function toHolders(docs: Map<number, Doc>): Map<number, number[]> {
  const holders = new Map<number, number[]>()
  for (const [seq, { codes }] of docs) {
    const terms = new Set(codes.map(termOf))
    for (const term of terms) holders.set(term, [seq, ...(holders.get(term) ?? [])])
  }
  return holders
}

function countTerms(docs: Analysed[]): { term: string; records: number }[] {
  const counts = new Map<string, number>()
  for (const { terms } of docs) for (const term of new Set(terms.split(' '))) counts.set(term, (counts.get(term) ?? 0) + 1)
  return [...counts].map(([term, records]) => ({ term, records })).sort((a, b) => (a.term < b.term ? -1 : 1))
}

function union([first = [], ...others]: number[][]): number[] {
  return others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => b - a)
}

function toNeighbours(records: StoredRecord[]): Map<number, Neighbours> {
  const bySource = Map.groupBy(
    records.filter(({ sourceId }) => sourceId !== null),
    ({ sourceId }) => sourceId,
  )
  const neighbours = [...bySource.values()].flatMap((group) => {
    const seqs = group.map(({ seq }) => seq)
    return seqs.map((seq, at) => ({ seq, before: seqs.slice(Math.max(0, at - 2), at).reverse(), after: seqs.slice(at + 1, at + 3) }))
  })
  return new Map(neighbours.map((found) => [found.seq, found]))
}
