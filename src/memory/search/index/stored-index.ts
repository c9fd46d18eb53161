import { createLru, type Lru } from '../../../cache/lru.ts'
import type { ProjectStore } from '../../../store/project.ts'
import type { Visible } from '../../../store/record.ts'
import type { AudienceStats, IndexFacts, Indexing, TermCount } from '../../../store/search.ts'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import { unpackTokenCodes } from '../../../text/token-codes.ts'
import { readSources, type SourceCache } from '../sources/source-cache.ts'
import { analyzeTexts } from './index-entry.ts'
import { MAX_POSTINGS, type SearchIndex, type TokenizedRecord } from './search-index.ts'

/** The audience of records that everyone in the project sees. */
const EVERYONE = '*'

/** The part of a project that is searched. */
type Part = { project: ProjectStore; visible: Visible; workspaceId: number | undefined; codedTo: number }

/**
 * Statistics of a part that do not depend on the query. `audiences`: those that have records, because queries are
 * faster with fewer audiences. `codedTo` is the largest record number whose stored token codes are of the present
 * analyzer.
 */
type PartFacts = AudienceStats & Omit<IndexFacts, 'audiences' | 'indexing'> & { audiences: Visible; codedTo: number }

/**
 * Facts of recently searched parts. Key: a state (project, its version, workspace and audiences). Bound: 1 000 entries
 * of some hundred bytes. Invalidated by a change of the project, whose version is part of the key. Owned by the
 * service. On a database server they take a statement of their own.
 */
export type FactsCache = Lru<string, PartFacts>

export const createFactsCache = (): FactsCache => createLru({ maxEntries: 1_000 })

type Searched = Omit<Part, 'codedTo' | 'visible'> & {
  projectId: string
  facts: PartFacts
  sources: SourceCache
  state: string
}

/** A part of the index that the store keeps. */
export function createStoredIndex({ projectId, facts, sources, state, ...searched }: Searched): SearchIndex {
  const { project, workspaceId } = searched
  const { records, length, audiences, projectRecords, languages, codedTo, sequence } = facts
  const part = { ...searched, visible: audiences, codedTo }
  return {
    records,
    totalLength: length,
    languages,
    findPostings: toFindPostings(part, MAX_POSTINGS),
    containsTerms: (terms) => findContained(toFindPostings(part, 1), terms),
    listTerms: (first, end, limit) => listTerms(part, first, end, limit),
    hasExactTermCounts: records === projectRecords,
    readTokens: (seqs) => readTokens(part, seqs),
    readSources: () => readSources(sources, { project, projectId, visible: audiences, workspaceId, state, sequence }),
    findNeighbours: (seqs) => project.findNeighbours(audiences ?? [EVERYONE], seqs),
    readRecords: (seqs) => project.findRecordsBySeq(audiences, seqs),
    findCurrentHashes: project.findCurrentHashes,
    hints: { mayName: () => true, mayDispute: () => true, hasOthers: true },
  }
}

/** What is known of a part of a project. */
export async function readFacts(
  project: ProjectStore,
  visible: Visible,
  workspaceId: number | undefined,
): Promise<PartFacts> {
  const { audiences, indexing, ...facts } = await project.readIndexFacts(visible, workspaceId)
  const held = new Set(audiences.map(({ audience }) => audience))
  return {
    ...facts,
    records: sum(audiences.map(({ records }) => records)),
    length: sum(audiences.map(({ length }) => length)),
    audiences: visible?.filter((audience) => held.has(audience)),
    codedTo: lastCoded(indexing),
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

function toFindPostings({ project, visible, workspaceId }: Part, most: number): SearchIndex['findPostings'] {
  return (groups, requireAnyOf) =>
    project.findPostings({ visible, workspaceId, groups, most, ...(requireAnyOf && { beside: requireAnyOf }) })
}

/**
 * Terms that `findContained` looks up in one query. Most terms guessed by expansion are in no record, and each query
 * costs as much as four terms.
 */
const TERMS_PER_QUERY = 32

/**
 * For each term, whether any record holds it. Looks up the terms of a query one by one only if the query found any of
 * them.
 */
async function findContained(findPostings: SearchIndex['findPostings'], terms: string[]): Promise<boolean[]> {
  const groups = Array.from({ length: Math.ceil(terms.length / TERMS_PER_QUERY) }, (_, at) =>
    terms.slice(at * TERMS_PER_QUERY, (at + 1) * TERMS_PER_QUERY),
  )
  const anywhere = await findPostings(groups)
  const likely = groups.filter((_, at) => anywhere[at]?.length !== 0).flat()
  const answers = await findPostings(likely.map((term) => [term]))
  const contained = new Set(likely.filter((_, at) => answers[at]?.length !== 0))
  return terms.map((term) => contained.has(term))
}

/** The terms of all audiences of the part, merged. */
async function listTerms(
  { project, visible = [EVERYONE] }: Part,
  first: string,
  end: string,
  limit: number,
): Promise<TermCount[]> {
  const lists: TermCount[][] = []
  for (const audience of visible) lists.push(await project.listTerms({ audience, first, end, limit }))
  if (lists.length === 1) return lists[0] ?? []
  const counts = new Map<string, number>()
  for (const { term, records } of lists.flat()) counts.set(term, (counts.get(term) ?? 0) + records)
  const terms = [...counts].map(([term, records]) => ({ term, records }))
  return terms.sort((a, b) => (a.term < b.term ? -1 : 1)).slice(0, limit)
}

/**
 * Reads stored tokens. If a record has none of the present analyzer, its text is analyzed, which takes some
 * milliseconds for a long one.
 */
async function readTokens({ project, visible, codedTo }: Part, seqs: number[]): Promise<Map<number, TokenizedRecord>> {
  const records = new Map<number, TokenizedRecord>()
  for (const { seq, length, codes, content, askedAs } of await project.findTokens(visible, seqs, codedTo)) {
    records.set(
      seq,
      codes === null
        ? await analyzeTexts({ content: content ?? '', askedAs })
        : { codes: unpackTokenCodes(codes), length },
    )
  }
  return records
}

/**
 * The largest record number whose stored codes are of the present analyzer: during a rebuild of the index, those after
 * it are not yet.
 */
function lastCoded(indexing: Indexing | undefined): number {
  if (indexing === undefined || indexing.rules === ANALYZER_VERSION) return Number.MAX_SAFE_INTEGER
  return indexing.target === ANALYZER_VERSION ? indexing.reached : 0
}
