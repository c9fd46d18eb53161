import type { ProjectStore, StoredRecord, Visible } from '../../store/project.ts'
import type { Weighed } from '../rank/term.ts'
import { toScore } from '../rank/to-score.ts'
import { createIsStale, type IsStale } from '../stale.ts'
import { confirms } from './confirm.ts'
import { FEW, toFewShelf } from './few.ts'
import { type Finding, find, type Ranked } from './find.ts'
import { toIndexedShelf } from './indexed.ts'
import type { Shelf } from './shelf.ts'

/** A record of the answer. `score` is in (0, 1), halved where the record is stale. */
export type Found = { record: StoredRecord; score: number; stale: boolean; ranked: Ranked }
export type Answer = { terms: Weighed[]; found: Found[] }

/** What is asked, of what, by whom. */
export type Question = {
  project: ProjectStore
  /** What the asker may see: staleness is judged by it. */
  visible: Visible
  /** The part of it that is searched. */
  among: Visible
  workspaceId: number
  query: string
  limit: number
  excludeStale: boolean
  /** Only records of this status, among the best matches. */
  status: StoredRecord['status'] | undefined
  now: number
}

/** Records ranked by the whole question at first: 100 and their neighbours give the same quality as every match. */
const WIDTH = 100
/** When filters left too few of them, so many times more. */
const WIDER = 8
/** For a status only so many are looked through: few records may have it, and ranking every match would hold others up. */
const WIDEST_FOR_STATUS = 6_400
/** A stale match counts for half, so that it comes after every fresh one of like relevance. */
const STALE = 0.5

/** Answers a question with at most `limit` records, best first. The same data and time give the same answer. */
export async function findMatches(question: Question): Promise<Answer> {
  const { project, query, limit, now, visible, status } = question
  const shelf = await toShelf(question)
  const isStale = createIsStale(project, visible, now)
  for (let width = WIDTH; ; width *= WIDER) {
    const finding = await find(project, shelf, query, width)
    const found = await readBest(shelf, finding, question, isStale)
    const isWide = status !== undefined && width >= WIDEST_FOR_STATUS
    if (found.length >= limit || finding.complete || isWide) return { terms: finding.terms, found }
  }
}

async function toShelf(question: Question): Promise<Shelf> {
  const few = await question.project.listFew(FEW)
  return few === undefined
    ? toIndexedShelf({ ...question, visible: question.among })
    : toFewShelf(few, question.among, question.workspaceId)
}

/** Reads rows from the best on, until none that is left could take a place. */
async function readBest(
  shelf: Shelf,
  { terms, ranked }: Finding,
  { limit, excludeStale, status }: Question,
  isStale: IsStale,
): Promise<Found[]> {
  const found: Found[] = []
  for (let at = 0; at < ranked.length; at += limit) {
    const next = ranked.slice(at, at + limit)
    const rows = new Map((await shelf.rows(next.map(({ seq }) => seq))).map((record) => [record.seq, record]))
    for (const one of next) {
      const record = rows.get(one.seq)
      if (record === undefined || (status !== undefined && record.status !== status)) continue
      if (!shelf.isExact && !confirms(record.content, one.own, terms)) continue
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
