import { createLru, type Lru } from '../../../cache/lru.ts'
import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { StoredRecord, Visible } from '../../../store/record.ts'
import type { LanguageCount, Neighbours, SmallRecord, TermCount } from '../../../store/search.ts'
import type { AnalyzedText } from '../../../text/analyzer.ts'
import { unpackTokenCodes } from '../../../text/token-codes.ts'
import { addPart, createSourceMap, type RecordSources, viewSources } from '../sources/record-sources.ts'
import { analyzeTexts } from './index-entry.ts'
import { keepHashes, toNameHints } from './known-records.ts'
import type { SearchIndex, TokenizedRecord } from './search-index.ts'

/**
 * Which projects are searched in memory, without the store's index, and how much of them is kept. From files a small
 * one takes a tenth of the time; from a database, where each of a dozen statements is a round trip, a larger one does.
 */
type InMemoryBounds = { maxRecords: number; maxCachedCharacters: number }
export const IN_MEMORY: Record<'files' | 'database', InMemoryBounds> = {
  files: { maxRecords: 64, maxCachedCharacters: 1 << 20 },
  database: { maxRecords: 1_000, maxCachedCharacters: 20 << 20 },
}

/** The index of a part of a small project, in memory. `contentLength` is in UTF-16 units. */
type InMemoryIndex = SearchIndex & { contentLength: number }

/**
 * Recently used in-memory indexes. Key: project, its version, workspace and audiences. Bound: entries, and total UTF-16
 * units of the records' texts (an index takes about 8 bytes for each). Invalidated by a change of the project, whose
 * version is part of the key. Owned by the service. `maxRecords` of a project that has one.
 */
export type InMemoryIndexCache = Lru<string, InMemoryIndex> & Pick<InMemoryBounds, 'maxRecords'>

const MAX_CACHED_INDEXES = 1_000

export const createInMemoryIndexCache = ({ maxRecords, maxCachedCharacters }: InMemoryBounds): InMemoryIndexCache => ({
  ...createLru<string, InMemoryIndex>({
    maxEntries: MAX_CACHED_INDEXES,
    maxTotalSize: maxCachedCharacters,
    sizeOf: ({ contentLength }) => contentLength,
  }),
  maxRecords,
})

type IndexedText = Pick<AnalyzedText, 'terms' | 'length' | 'codes'>

/** The part of a project that is searched. */
type Part = {
  project: Pick<ProjectReads, 'findCurrentHashes'>
  visible: Visible
  workspaceId: number | undefined
  languages: LanguageCount[]
  codedTo: number
}

/**
 * Builds the index of a part of a project from all records of the project, in time linear in their texts. Texts are
 * analyzed unless the store has what came of that, by the present analyzer up to the record `codedTo`.
 */
export async function createInMemoryIndex(
  all: SmallRecord[],
  { project, visible, workspaceId, languages, codedTo }: Part,
): Promise<InMemoryIndex> {
  const isInPart = (record: SmallRecord) =>
    (workspaceId === undefined || record.workspaceId === workspaceId) && (visible?.includes(record.audience) ?? true)
  const own = all.filter(isInPart)
  const records = new Map<number, StoredRecord>()
  const texts = new Map<number, TokenizedRecord>()
  const postings = new Map<string, number[]>()
  for (const record of own) {
    const { terms, codes, length } = (record.seq <= codedTo && readEntry(record)) || (await analyzeTexts(record))
    texts.set(record.seq, { codes, length })
    records.set(record.seq, record)
    addPostings(postings, record.seq, terms)
    const due = yieldIfDue()
    if (due !== undefined) await due
  }
  const dictionary = createDictionary(postings)
  await yieldIfDue()
  const groups = groupBySource([...records.values()])
  const neighbours = toNeighbours(groups)
  const sources = toSources(groups)
  return {
    records: records.size,
    totalLength: sum([...texts.values()].map(({ length }) => length)),
    contentLength: sum([...records.values()].map(({ content }) => content.length)),
    languages,
    findPostings: async (groups) => groups.map((terms) => toSeqs(terms.map(dictionary.find))),
    containsTerms: async (terms) => terms.map((term) => dictionary.find(term).length > 0),
    listTerms: async (first, end, limit) => dictionary.list(first, end, limit),
    hasExactTermCounts: true,
    readTokens: async (seqs) => pick(texts, seqs),
    readSources: async () => sources,
    findNeighbours: async (seqs) => [...pick(neighbours, seqs).values()],
    readRecords: async (seqs) => [...pick(records, seqs).values()],
    findCurrentHashes: keepHashes(project, visible),
    hints: { ...toNameHints(own), hasOthers: all.some((record) => record.workspaceId !== own[0]?.workspaceId) },
  }
}

/** The analyzed texts of a record as the store has them; undefined if it does not. */
function readEntry({ terms, length, codes }: SmallRecord): IndexedText | undefined {
  if (terms === undefined || length === undefined || !codes) return undefined
  return { terms, length, codes: unpackTokenCodes(codes) }
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

/** Adds a record, which has a larger number than those before it, to the list of each of its terms. */
function addPostings(postings: Map<string, number[]>, seq: number, terms: string): void {
  for (const term of terms.split(' ')) {
    const seqs = postings.get(term)
    if (seqs === undefined) postings.set(term, [seq])
    else if (seqs.at(-1) !== seq) seqs.push(seq)
  }
}

const NO_SEQS = new Uint32Array()

/**
 * Terms in order, with the numbers of the records that hold each one after the other in one array: a Map of arrays
 * takes four times the memory.
 */
function createDictionary(postings: Map<string, number[]>) {
  const terms = [...postings.keys()].sort()
  const ends = new Uint32Array(terms.length)
  const seqs = Uint32Array.from(terms.flatMap((term) => postings.get(term) ?? []))
  terms.forEach((term, at) => {
    ends[at] = (ends[at - 1] ?? 0) + (postings.get(term)?.length ?? 0)
  })
  const startOf = (at: number) => ends[at - 1] ?? 0
  const countOf = (at: number) => (ends[at] ?? 0) - startOf(at)
  /** The place of the first term that is not before this one. */
  function placeOf(term: string): number {
    let [low, high] = [0, terms.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((terms[middle] ?? '') < term) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    find: (term: string): Uint32Array => {
      const at = placeOf(term)
      return terms[at] === term ? seqs.subarray(startOf(at), ends[at]) : NO_SEQS
    },
    list: (first: string, end: string, limit: number): TermCount[] => {
      const from = placeOf(first)
      return terms
        .slice(from, Math.min(placeOf(end), from + limit))
        .map((term, nth) => ({ term, records: countOf(from + nth) }))
    },
  }
}

/** The distinct numbers of the lists, in descending order. */
function toSeqs(lists: Uint32Array[]): Uint32Array {
  const [only] = lists
  if (lists.length === 1 && only !== undefined) return only.toReversed()
  return Uint32Array.from(new Set(lists.flatMap((list) => [...list])))
    .sort()
    .reverse()
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
