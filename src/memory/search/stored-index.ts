import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { Indexing, TermCount } from '../../store/search.ts'
import { ANALYZER_VERSION, analyzeInSlices } from '../../text/analyzer.ts'
import { unpackTokenCodes } from '../../text/token-codes.ts'
import { createScanner, isScannable } from './scan.ts'
import { recallScanned } from './scan-cache.ts'
import type { TokenizedRecord } from './scorer.ts'
import { MAX_POSTINGS, type SearchIndex } from './search-index.ts'
import { tokenCacheOf } from './token-cache.ts'

const EVERYONE = '*'

/** What the shelf is a part of. */
type Place = { project: ProjectStore; visible: Visible; workspaceId: number }

/** The shelf of a project that is asked through its index. */
export async function createStoredIndex(place: Place): Promise<SearchIndex> {
  const { project, visible, workspaceId } = place
  const { records, length } = await project.readAudienceStats(visible, workspaceId)
  const ofProject = (await project.readUsage()).records
  const narrow = isScannable({ records, length }, ofProject) ? createScanner(() => readSeen(place)) : undefined
  return {
    records,
    totalLength: length,
    languages: await project.readLanguages(visible, workspaceId),
    postings: narrow ?? toIndexHolders(place, MAX_POSTINGS),
    isHeld: toIsHeld(narrow, toIndexHolders(place, 1)),
    terms: (first, end, limit) => listTerms(place, first, end, limit),
    isSole: records === ofProject,
    docs: (seqs) => readDocs(place, seqs),
    neighbours: (seqs) => project.findNeighbours(visible ?? [EVERYONE], seqs),
    isExact: narrow === undefined,
    known: undefined,
    rows: (seqs) => project.findRecordsBySeq(visible, seqs),
  }
}

/** Few of many records are looked through first, which is quick; a yes of their codes, which two terms can share, is left to the index. */
function toIsHeld(narrow: SearchIndex['postings'] | undefined, index: SearchIndex['postings']): SearchIndex['isHeld'] {
  if (narrow === undefined) return (terms) => findHeld(index, terms)
  return async (terms) => {
    const answers = await findHeld(narrow, terms)
    const likely = terms.filter((_, at) => answers[at])
    const sure = await findHeld(index, likely)
    const held = new Set(likely.filter((_, at) => sure[at]))
    return terms.map((term) => held.has(term))
  }
}

/** Terms asked for in one question: most of those that stand-ins are guessed by are held by nobody, and a question costs as much as four more terms. */
const TERMS_PER_QUERY = 32

/** Of each term whether any record holds it. Terms are asked for one by one only where one of those beside them is held. */
async function findHeld(holders: SearchIndex['postings'], terms: string[]): Promise<boolean[]> {
  const parts = Array.from({ length: Math.ceil(terms.length / TERMS_PER_QUERY) }, (_, at) =>
    terms.slice(at * TERMS_PER_QUERY, (at + 1) * TERMS_PER_QUERY),
  )
  const anywhere = await holders(parts)
  const asked = parts.filter((_, at) => anywhere[at]?.length !== 0).flat()
  const answers = await holders(asked.map((term) => [term]))
  const held = new Set(asked.filter((_, at) => answers[at]?.length !== 0))
  return terms.map((term) => held.has(term))
}

/** The terms of each audience that may be seen, put together. */
async function listTerms({ project, visible = [EVERYONE] }: Place, first: string, end: string, limit: number): Promise<TermCount[]> {
  const counts = new Map<string, number>()
  for (const audience of visible) {
    const listed = await project.listTerms({ audience, first, end, limit })
    for (const { term, records } of listed) counts.set(term, (counts.get(term) ?? 0) + records)
  }
  const terms = [...counts].map(([term, records]) => ({ term, records }))
  return terms.sort((a, b) => (a.term < b.term ? -1 : 1)).slice(0, limit)
}

function toIndexHolders({ project, visible, workspaceId }: Place, most: number): SearchIndex['postings'] {
  return (groups, beside) => project.findPostings({ visible, workspaceId, groups, most, ...(beside && { beside }) })
}

/** All records that may be seen, newest first. */
async function readSeen(place: Place): Promise<Map<number, TokenizedRecord>> {
  const { project, visible, workspaceId } = place
  return recallScanned(`${await project.version()} ${workspaceId} ${visible?.join(' ')}`, async () => {
    const seqs = [...(await project.findVisibleSeqs(visible, workspaceId))]
    const docs = await readDocs(place, seqs)
    return new Map(seqs.map((seq) => [seq, docs.get(seq) ?? NOTHING]))
  })
}

const NOTHING: TokenizedRecord = { codes: new Uint32Array(), length: 0 }

/** Records whose words are read at once: of the largest, some milliseconds. */
const READ_SIZE = 100

async function readDocs({ project, visible }: Place, seqs: number[]): Promise<Map<number, TokenizedRecord>> {
  const indexing = await project.readIndexing()
  const memory = tokenCacheOf(project, indexing?.erasures ?? 0)
  const docs = new Map<number, TokenizedRecord>()
  const unread: number[] = []
  for (const seq of seqs) {
    const doc = memory.find(seq)
    if (doc === undefined) unread.push(seq)
    else docs.set(seq, doc)
  }
  if (unread.length === 0) return docs
  for (let at = 0; at < unread.length; at += READ_SIZE) {
    for (const { seq, length, codes, content } of await project.findTokens(visible, unread.slice(at, at + READ_SIZE), codedTo(indexing))) {
      const due = yieldIfDue()
      if (due !== undefined) await due
      const doc = codes === null ? await read(content ?? '') : { codes: unpackTokenCodes(codes), length }
      memory.keep(seq, doc)
      docs.set(seq, doc)
    }
  }
  return docs
}

/** Without the terms, which nobody asks a kept record for. */
async function read(content: string): Promise<TokenizedRecord> {
  const { codes, length } = await analyzeInSlices(content)
  return { codes, length }
}

/** The last record whose codes were made by the present rules; others are read from the text until the index is made anew. */
function codedTo(indexing: Indexing | undefined): number {
  if (indexing === undefined || indexing.rules === ANALYZER_VERSION) return Number.MAX_SAFE_INTEGER
  return indexing.target === ANALYZER_VERSION ? indexing.reached : 0
}
