import { yieldIfDue } from '../../cooperative.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'
import type { LanguageCount, Neighbours } from '../../store/search.ts'
import { type AnalyzedText, analyzeInSlices } from '../../text/analyzer.ts'
import type { SearchIndex } from './search-index.ts'

/** Up to so many records are held in memory and looked through without the index: that takes a tenth of the time of asking it. */
export const MAX_IN_MEMORY_RECORDS = 64

const shelves = new WeakMap<StoredRecord[], Map<string, Promise<SearchIndex>>>()

/** The shelf of a project so small that its records are all at hand. Made once for each array of records, and of languages. */
export function createInMemoryIndex(
  all: StoredRecord[],
  visible: Visible,
  workspaceId: number,
  languages: LanguageCount[],
): Promise<SearchIndex> {
  const made = shelves.get(all) ?? new Map<string, Promise<SearchIndex>>()
  shelves.set(all, made)
  const name = `${workspaceId} ${visible?.join(' ')}`
  const shelf =
    made.get(name) ??
    makeShelf(
      all.filter((record) => isSeen(record, visible, workspaceId)),
      languages,
    )
  made.set(name, shelf)
  return shelf
}

const isSeen = (record: StoredRecord, visible: Visible, workspaceId: number) =>
  record.workspaceId === workspaceId && (visible?.includes(record.audience) ?? true)

async function makeShelf(records: StoredRecord[], languages: LanguageCount[]): Promise<SearchIndex> {
  const rows = new Map(records.map((record) => [record.seq, record]))
  const docs = new Map<number, AnalyzedText>()
  for (const { seq, content } of records) docs.set(seq, await analyzeInSlices(content))
  await yieldIfDue()
  const holders = toHolders(docs)
  await yieldIfDue()
  const terms = toCounts(holders)
  const beside = toNeighbours(records)
  const named = <Value>(seqs: number[], known: Map<number, Value>) =>
    seqs.map((seq) => known.get(seq)).filter((value) => value !== undefined)
  return {
    records: records.length,
    languages,
    totalLength: [...docs.values()].reduce((sum, { length }) => sum + length, 0),
    postings: async (groups) => groups.map((forms) => Uint32Array.from(union(forms.map((form) => holders.get(form) ?? [])))),
    isHeld: async (terms) => terms.map((term) => holders.has(term)),
    terms: async (first, end, limit) => terms.filter(({ term }) => term >= first && term < end).slice(0, limit),
    isSole: true,
    isExact: true,
    docs: async () => docs,
    neighbours: async (seqs) => named(seqs, beside),
    known: new Map(),
    rows: async (seqs) => named(seqs, rows),
  }
}

/** For each term the records that hold it, newest first. */
function toHolders(docs: Map<number, AnalyzedText>): Map<string, number[]> {
  const holders = new Map<string, number[]>()
  for (const [seq, { terms }] of docs) {
    for (const term of new Set(terms.split(' '))) holders.set(term, [seq, ...(holders.get(term) ?? [])])
  }
  return holders
}

function toCounts(holders: Map<string, number[]>): { term: string; records: number }[] {
  return [...holders].map(([term, { length }]) => ({ term, records: length })).sort((a, b) => (a.term < b.term ? -1 : 1))
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
