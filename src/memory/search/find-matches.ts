import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'
import { createIsStale, type IsStale } from '../records/freshness.ts'
import type { Budget } from './budget.ts'
import { choose } from './choose.ts'
import { confirms } from './confirm.ts'
import { createInMemoryIndex, MAX_IN_MEMORY_RECORDS } from './in-memory-index.ts'
import { type QueryPostings, readPostings } from './postings.ts'
import type { WeightedTerm } from './query-term.ts'
import { type Ranked, rankAll } from './rank.ts'
import { toScore } from './score.ts'
import type { SearchIndex } from './search-index.ts'
import { createStoredIndex } from './stored-index.ts'

/** A record of the answer. `score` is in (0, 1), halved where the record is stale. */
export type Found = { record: StoredRecord; score: number; stale: boolean; ranked: Ranked }
export type Answer = QueryPostings & { found: Found[] }

/** What is asked, of what, by whom. */
export type Question = {
  project: ProjectStore
  /** What the asker may see: staleness is judged by it. */
  visible: Visible
  /** The part of it that is searched. */
  among: Visible
  workspaceId: number
  query: string
  /** Its words, where they were looked up in the same part before. */
  asked?: QueryPostings | undefined
  limit: number
  excludeStale: boolean
  /** Only records of this status. */
  status: StoredRecord['status'] | undefined
  now: number
  /** Work left for all that the call asks. */
  budget: Budget
}

/** Records ranked by the whole question at first: 100 and their neighbours give the same quality as every match. */
const CANDIDATES = 100
/** When too few of them are an answer, so many times more; and the last width. */
const WIDENING = 8
const WIDEST = 6_400
/** A stale match counts for half, so that it comes after every fresh one of like relevance. */
const STALE_FACTOR = 0.5

/** Answers a question with at most `limit` records, best first. The same data and time give the same answer. */
export async function findMatches(question: Question): Promise<Answer> {
  const { project, query, limit, now, visible, budget } = question
  const shelf = await toShelf(question)
  const asked = question.asked ?? (await readPostings(shelf, query, budget))
  const isStale = createIsStale(project, visible, now)
  for (let width = CANDIDATES; ; width *= WIDENING) {
    const { seqs, isComplete } = await choose(question, asked.lists, width)
    const found = await readBest(shelf, asked, await rankAll(shelf, asked, seqs), question, isStale)
    if (found.length >= limit || isComplete || width >= WIDEST || budget.matches <= 0) return { ...asked, found }
  }
}

async function toShelf(question: Question): Promise<SearchIndex> {
  const { project, among, workspaceId } = question
  const few = await project.listSmallProject(MAX_IN_MEMORY_RECORDS)
  if (few === undefined) return createStoredIndex({ project, visible: among, workspaceId })
  return createInMemoryIndex(few, among, workspaceId, await project.readLanguages(among, workspaceId))
}

/** Reads rows from the best on, until none that is left could take a place. */
async function readBest(
  shelf: SearchIndex,
  { terms }: QueryPostings,
  ranked: Ranked[],
  { limit, excludeStale, status }: Question,
  isStale: IsStale,
): Promise<Found[]> {
  const found: Found[] = []
  for (let at = 0; at < ranked.length; at += limit) {
    const next = ranked.slice(at, at + limit)
    const rows = new Map((await shelf.rows(next.map(({ seq }) => seq))).map((record) => [record.seq, record]))
    for (const one of next) {
      const due = yieldIfDue()
      if (due !== undefined) await due
      const record = rows.get(one.seq)
      if (record === undefined || (status !== undefined && record.status !== status)) continue
      if (!shelf.isExact && !(await confirms(record.content, one.own, terms))) continue
      const judged = isStale(record)
      const stale = judged === true || (judged !== false && (await judged))
      if (!(stale && excludeStale)) found.push({ record, stale, ranked: one, score: scoreOf(one, terms, stale) })
    }
    found.sort((a, b) => b.score - a.score || b.record.seq - a.record.seq)
    const rival = ranked[at + limit]
    const last = found[limit - 1]
    if (rival === undefined || (last !== undefined && last.score >= scoreOf(rival, terms, false))) break
  }
  return found.slice(0, limit)
}

function scoreOf({ worth }: Ranked, terms: WeightedTerm[], stale: boolean): number {
  return toScore(worth, terms) * (stale ? STALE_FACTOR : 1)
}
