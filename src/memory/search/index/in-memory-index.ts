import { createLru, type Lru } from '../../../cache/lru.ts'
import { yieldIfDue } from '../../../cooperative.ts'
import type { StoredRecord, Visible } from '../../../store/record.ts'
import type { LanguageCount, Neighbours } from '../../../store/search.ts'
import type { AnalyzedText } from '../../../text/analyzer.ts'
import { addPart, createSourceMap, type RecordSources, viewSources } from '../sources/record-sources.ts'
import { analyzeTexts } from './index-entry.ts'
import type { SearchIndex } from './search-index.ts'

/** Projects of at most this many records are searched in memory, without the store's index, in a tenth of the time. */
export const MAX_IN_MEMORY_RECORDS = 64

/** The index of a part of a small project, in memory. `contentLength` is in UTF-16 units. */
type InMemoryIndex = SearchIndex & { contentLength: number }

/**
 * Recently used in-memory indexes. Key: project, its version, workspace and audiences. Bound: entries, and total UTF-16
 * units of the records' texts (an index takes about 8 bytes for each). Invalidated by a change of the project, whose
 * version is part of the key. Owned by the service.
 */
export type InMemoryIndexCache = Lru<string, InMemoryIndex>

const MAX_CACHED_INDEXES = 256
const MAX_CACHED_CHARACTERS = 1 << 20

export const createInMemoryIndexCache = (): InMemoryIndexCache =>
  createLru({
    maxEntries: MAX_CACHED_INDEXES,
    maxTotalSize: MAX_CACHED_CHARACTERS,
    sizeOf: ({ contentLength }) => contentLength,
  })

/** The part of a project that is searched. */
type Part = { visible: Visible; workspaceId: number | undefined; languages: LanguageCount[] }

/** Builds the index of a part of a project from all records of the project, in time linear in their texts. */
export async function createInMemoryIndex(
  all: StoredRecord[],
  { visible, workspaceId, languages }: Part,
): Promise<InMemoryIndex> {
  const isInPart = (record: StoredRecord) =>
    (workspaceId === undefined || record.workspaceId === workspaceId) && (visible?.includes(record.audience) ?? true)
  const records = new Map(all.filter(isInPart).map((record) => [record.seq, record]))
  const texts = new Map<number, AnalyzedText>()
  for (const record of records.values()) texts.set(record.seq, await analyzeTexts(record))
  await yieldIfDue()
  const postings = toPostings(texts)
  await yieldIfDue()
  const counts = toTermCounts(postings)
  const groups = groupBySource([...records.values()])
  const neighbours = toNeighbours(groups)
  const sources = toSources(groups)
  return {
    records: records.size,
    totalLength: sum([...texts.values()].map(({ length }) => length)),
    contentLength: sum([...records.values()].map(({ content }) => content.length)),
    languages,
    findPostings: async (groups) => groups.map((terms) => toSeqs(terms.map((term) => postings.get(term) ?? []))),
    containsTerms: async (terms) => terms.map((term) => postings.has(term)),
    listTerms: async (first, end, limit) => counts.filter(({ term }) => term >= first && term < end).slice(0, limit),
    hasExactTermCounts: true,
    readTokens: async (seqs) => pick(texts, seqs),
    readSources: async () => sources,
    findNeighbours: async (seqs) => [...pick(neighbours, seqs).values()],
    readRecords: async (seqs) => [...pick(records, seqs).values()],
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The values of those keys that the map has. */
function pick<Value>(map: Map<number, Value>, keys: number[]): Map<number, Value> {
  const picked = new Map<number, Value>()
  for (const key of keys) {
    const value = map.get(key)
    if (value !== undefined) picked.set(key, value)
  }
  return picked
}

/** Maps each term to the numbers of the records that hold it. */
function toPostings(texts: Map<number, AnalyzedText>): Map<string, number[]> {
  const postings = new Map<string, number[]>()
  for (const [seq, { terms }] of texts) {
    for (const term of new Set(terms.split(' '))) {
      const seqs = postings.get(term)
      if (seqs === undefined) postings.set(term, [seq])
      else seqs.push(seq)
    }
  }
  return postings
}

/** The distinct numbers of the lists, in descending order. */
function toSeqs(lists: number[][]): Uint32Array {
  return Uint32Array.from(new Set(lists.flat())).sort().reverse()
}

function toTermCounts(postings: Map<string, number[]>): { term: string; records: number }[] {
  return [...postings]
    .map(([term, { length }]) => ({ term, records: length }))
    .sort((a, b) => (a.term < b.term ? -1 : 1))
}

/** Groups records by source and workspace. `records` are in the order of saving, and so is each group. */
function groupBySource(records: StoredRecord[]): StoredRecord[][] {
  const withSource = records.filter(({ sourceId }) => sourceId !== null)
  return [...Map.groupBy(withSource, ({ workspaceId, sourceId }) => `${workspaceId} ${sourceId}`).values()]
}

/**
 * Maps each record with a source to the two records before and the two after it in the same source and workspace,
 * nearest first.
 */
function toNeighbours(sources: StoredRecord[][]): Map<number, Neighbours> {
  const neighbours = sources.flatMap((records) => {
    const seqs = records.map(({ seq }) => seq)
    return seqs.map((seq, at) => ({
      seq,
      before: seqs.slice(Math.max(0, at - 2), at).reverse(),
      after: seqs.slice(at + 1, at + 3),
    }))
  })
  return new Map(neighbours.map((one) => [one.seq, one]))
}

/** Every record belongs to the searched part, so audience and workspace need not be told apart. */
function toSources(sources: StoredRecord[][]): RecordSources {
  const map = createSourceMap()
  sources.forEach((records, at) => {
    const seqs = records.map(({ seq }) => seq)
    addPart(map, { workspaceId: 0, sourceId: String(at), audience: '', seqs }, undefined)
  })
  return viewSources(map, undefined, undefined)
}
