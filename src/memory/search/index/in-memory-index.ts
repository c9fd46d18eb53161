import { createLru, type Lru } from '../../../cache/lru.ts'
import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { RecordTexts, Visible } from '../../../store/record.ts'
import type { LanguageCount, Neighbours, SmallRecord } from '../../../store/search.ts'
import { packTokenCodes } from '../../../text/token-codes.ts'
import { addPart, createSourceMap, type RecordSources, sourceOf, viewSources } from '../sources/record-sources.ts'
import { analyzeTexts } from './index-entry.ts'
import { isWhole, keepHashes, keepRecords, toNameHints } from './known-records.ts'
import { type PackedText, type PackedTexts, packTexts } from './packed-texts.ts'
import type { SearchIndex } from './search-index.ts'
import { createTermDictionary, type TermDictionary } from './term-dictionary.ts'

/**
 * Which projects are searched in memory, without the store's index, and how much of them is kept. From files a small
 * one takes a tenth of the time; from a database, where each of a dozen statements is a round trip, a larger one does.
 */
type InMemoryBounds = { maxRecords: number; maxCachedBytes: number }
export const IN_MEMORY: Record<'files' | 'database', InMemoryBounds> = {
  files: { maxRecords: 64, maxCachedBytes: 8 << 20 },
  database: { maxRecords: 1_000, maxCachedBytes: 320 << 20 },
}

/** The index of a part of a small project, in memory. `bytes` is about what it takes. */
type InMemoryIndex = SearchIndex & { bytes: number }

/**
 * Recently used in-memory indexes. Key: project, its version, workspace and audiences. Bound: entries and bytes.
 * Invalidated by a change of the project, whose version is part of the key. Owned by the service. `maxRecords` of a
 * project that has one.
 */
export type InMemoryIndexCache = Lru<string, InMemoryIndex> & Pick<InMemoryBounds, 'maxRecords'>

const MAX_CACHED_INDEXES = 2_000

export const createInMemoryIndexCache = ({ maxRecords, maxCachedBytes }: InMemoryBounds): InMemoryIndexCache => ({
  ...createLru<string, InMemoryIndex>({
    maxEntries: MAX_CACHED_INDEXES,
    maxTotalSize: maxCachedBytes,
    sizeOf: ({ bytes }) => bytes,
  }),
  maxRecords,
})

/** What a record takes besides its terms and tokens, measured; and one that is kept whole, besides its content. */
const BYTES_PER_RECORD = 256
const BYTES_PER_WHOLE_RECORD = 1_024

/** The part of a project that is searched. */
type Part = {
  project: Pick<ProjectReads, 'findCurrentHashes' | 'findRecordsBySeq'>
  visible: Visible
  workspaceId: number | undefined
  languages: LanguageCount[]
}

/**
 * Builds the index of a part of a project from all records of the project, in time linear in their texts. Records
 * without an entry are analyzed. What is kept is packed, and from a database without the records: it takes a sixth of
 * the memory. Of 1 000 projects asked in turn, all stay in memory in place of 280, and a question takes a quarter of the
 * time (`bench/postgres.ts`).
 */
export async function createInMemoryIndex(
  all: SmallRecord[],
  { project, visible, workspaceId, languages }: Part,
): Promise<InMemoryIndex> {
  const isInPart = (record: SmallRecord) =>
    (workspaceId === undefined || record.workspaceId === workspaceId) && (visible?.includes(record.audience) ?? true)
  const own = all.filter(isInPart)
  const read: PackedText[] = []
  const postings = new Map<string, number[]>()
  for (const record of own) {
    const { terms, codes, length } = record.content === null ? record : await analyzeRecord(record)
    read.push({ seq: record.seq, codes, length })
    addPostings(postings, record.seq, terms)
    const due = yieldIfDue()
    if (due !== undefined) await due
  }
  const dictionary = createTermDictionary(postings)
  await yieldIfDue()
  return viewIndex({
    dictionary,
    texts: packTexts(read),
    groups: groupBySource(own),
    languages,
    findCurrentHashes: keepHashes(project, visible),
    readRecords: keepRecords(project, visible, own),
    recordBytes: own.reduce((sum, record) => sum + bytesOf(record), 0),
    hints: { ...toNameHints(own), hasOthers: all.some((record) => record.workspaceId !== workspaceId) },
  })
}

type Packed = Pick<SearchIndex, 'languages' | 'findCurrentHashes' | 'readRecords' | 'hints'> & {
  recordBytes: number
  dictionary: TermDictionary
  texts: PackedTexts
  groups: number[][]
}

/** A function of its own: beside those that it returns, what they are made of would be kept as well. */
function viewIndex({ dictionary, texts, groups, recordBytes, ...known }: Packed): InMemoryIndex {
  const sources = toSources(groups)
  return {
    ...known,
    records: texts.records,
    totalLength: texts.totalLength,
    bytes: dictionary.bytes + texts.bytes + recordBytes,
    findPostings: async (asked) => asked.map((terms) => toSeqs(terms.map(dictionary.find))),
    containsTerms: async (terms) => terms.map((term) => dictionary.find(term).length > 0),
    listTerms: async (first, end, limit) => dictionary.list(first, end, limit),
    hasExactTermCounts: true,
    readTokens: async (seqs) => texts.read(seqs),
    readSources: async () => sources,
    findNeighbours: async (seqs) => seqs.flatMap((seq) => toNeighbours(groups[sourceOf(sources, seq) - 1], seq)),
  }
}

const bytesOf = (record: SmallRecord) =>
  BYTES_PER_RECORD + (isWhole(record) ? BYTES_PER_WHOLE_RECORD + 2 * record.content.length : 0)

async function analyzeRecord(texts: RecordTexts): Promise<{ terms: string; length: number; codes: Uint8Array }> {
  const { terms, length, codes } = await analyzeTexts(texts)
  return { terms, length, codes: packTokenCodes(codes) }
}

/** Adds a record, which has a larger number than those before it, to the list of each of its terms. */
function addPostings(postings: Map<string, number[]>, seq: number, terms: string): void {
  for (const term of terms.split(' ')) {
    const seqs = postings.get(term)
    if (seqs === undefined) postings.set(term, [seq])
    else if (seqs.at(-1) !== seq) seqs.push(seq)
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

/** The numbers of the records of each source of a workspace, in the order of saving, as the records are. */
function groupBySource(records: SmallRecord[]): number[][] {
  const withSource = records.filter(({ sourceId }) => sourceId !== null)
  const groups = Map.groupBy(withSource, ({ workspaceId, sourceId }) => `${workspaceId} ${sourceId}`)
  return [...groups.values()].map((group) => group.map(({ seq }) => seq))
}

/** The two records before one and the two after it among those of its source, nearest first; none without a source. */
function toNeighbours(seqs: number[] = [], seq: number): Neighbours[] {
  const at = seqs.indexOf(seq)
  return at < 0
    ? []
    : [{ seq, before: seqs.slice(Math.max(0, at - 2), at).reverse(), after: seqs.slice(at + 1, at + 3) }]
}

/** Every record belongs to the searched part, so audience and workspace need not be told apart. */
function toSources(groups: number[][]): RecordSources {
  const map = createSourceMap()
  groups.forEach((seqs, at) => {
    addPart(map, { workspaceId: 0, sourceId: String(at), audience: '', seqs }, undefined)
  })
  return viewSources(map, undefined, undefined)
}
