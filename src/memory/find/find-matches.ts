import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore, StoredRecord, Visible } from '../../store/project.ts'
import type { Weighed } from '../rank/term.ts'
import { toScore } from '../rank/to-score.ts'
import { createIsStale, type IsStale } from '../stale.ts'
import type { Budget } from './budget.ts'
import { choose } from './choose.ts'
import { confirms } from './confirm.ts'
import { FEW, toFewShelf } from './few.ts'
import { type Ranked, rankAll } from './find.ts'
import { toIndexedShelf } from './indexed.ts'
import { type LookedUp, lookUp } from './look-up.ts'
import type { Shelf } from './shelf.ts'

/** A record of the answer. `score` is in (0, 1), halved where the record is stale. */
export type Found = { record: StoredRecord; score: number; stale: boolean; ranked: Ranked }
export type Answer = LookedUp & { found: Found[] }

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
  asked?: LookedUp | undefined
  limit: number
  excludeStale: boolean
  /** Only records of this status. */
  status: StoredRecord['status'] | undefined
  now: number
  /** Work left for all that the call asks. */
  budget: Budget
}

/** Records ranked by the whole question at first: 100 and their neighbours give the same quality as every match. */
const WIDTH = 100
/** When too few of them are an answer, so many times more; and the last width. */
const WIDER = 8
const WIDEST = 6_400
/** A stale match counts for half, so that it comes after every fresh one of like relevance. */
const STALE = 0.5

/** Answers a question with at most `limit` records, best first. The same data and time give the same answer. */
export async function findMatches(question: Question): Promise<Answer> {
  const { project, query, limit, now, visible, budget } = question
  const shelf = await toShelf(question)
  const asked = question.asked ?? (await lookUp(shelf, query, budget))
  const isStale = createIsStale(project, visible, now)
  for (let width = WIDTH; ; width *= WIDER) {
    const { seqs, isComplete } = await choose(question, asked.lists, width)
    const found = await readBest(shelf, asked, await rankAll(shelf, asked, seqs), question, isStale)
    if (found.length >= limit || isComplete || width >= WIDEST || budget.matches <= 0) return { ...asked, found }
  }
}

async function toShelf(question: Question): Promise<Shelf> {
  const { project, among, workspaceId } = question
  const few = await project.listFew(FEW)
  if (few === undefined) return toIndexedShelf({ project, visible: among, workspaceId })
  return toFewShelf(few, among, workspaceId, await project.readLanguages(among, workspaceId))
}

/** Reads rows from the best on, until none that is left could take a place. */
async function readBest(
  shelf: Shelf,
  { terms }: LookedUp,
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

function scoreOf({ worth }: Ranked, terms: Weighed[], stale: boolean): number {
  return toScore(worth, terms) * (stale ? STALE : 1)
}
