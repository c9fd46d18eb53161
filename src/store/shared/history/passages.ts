import { and, asc, between, desc, eq, gt, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { MAX_LINES, MAX_PASSAGES } from '../../history.ts'
import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { isOwn } from '../engine.ts'
import type { HistoryEngine, HistoryWriteEngine } from './tables.ts'

type PassageReads = Pick<HistoryReads, 'listIndexed' | 'findPassages' | 'readPassages' | 'findLastPassage'>
type PassageWrites = Pick<HistoryWrites, 'savePassages' | 'dropPassages'>

const FACTOR = sql.raw(String(MAX_PASSAGES))

export function createPassageReads(engine: HistoryEngine): PassageReads {
  const { db, tables, isAmong, words } = engine
  const { sources, passages } = tables
  const isOfFound = sql`${passages.id} >= ${sources.number} * ${FACTOR} and ${passages.id} < (${sources.number} + 1) * ${FACTOR}`
  return {
    listIndexed: async ({ rules, id, afterId = '', limit }) => {
      const last = sql`select case when ${passages.rules} = ${rules} then ${passages.last} else 0 end from ${passages}
        where ${and(isOwn(engine, passages), isOfFound)} order by ${passages.id} desc limit 1`
      const isMeant = id === undefined ? gt(sources.id, afterId) : eq(sources.id, id)
      return db
        .select({
          id: sources.id,
          lastLine: sources.lastLine,
          indexed: sql<number>`coalesce((${last}), 0)`.mapWith(Number),
        })
        .from(sources)
        .where(and(isOwn(engine, sources), isMeant, gt(sources.lines, 0), isNull(sources.forgottenAt)))
        .orderBy(asc(sources.id))
        .limit(limit)
    },
    findPassages: async ({ ownerId, groups, limit }) => {
      const found: number[][] = []
      for (const group of groups) found.push(await words.find({ ownerId, words: group, limit }))
      return found
    },
    readPassages: async (ownerId, numbers) =>
      db
        .select({ number: passages.id, first: passages.first, lines: passages.lines })
        .from(passages)
        .where(and(isOwn(engine, passages), isAmong(passages.id, numbers), eq(passages.ownerId, ownerId))),
    findLastPassage: async (sourceId) => {
      const found = db
        .select({ first: passages.first, last: passages.last, rules: passages.rules })
        .from(sources)
        .innerJoin(passages, and(isOwn(engine, passages), isOfFound))
        .where(and(isOwn(engine, sources), eq(sources.id, sourceId)))
      return (await found.orderBy(desc(passages.id)).limit(1))[0]
    },
  }
}

export function createPassageWrites(engine: HistoryWriteEngine): PassageWrites {
  const { db, own, tables, words, erased } = engine
  const { sources, passages } = tables

  async function findSource(id: string) {
    const found = db.select({ number: sources.number, ownerId: sources.ownerId }).from(sources)
    return (await found.where(and(isOwn(engine, sources), eq(sources.id, id))))[0]
  }

  async function savePassages(sourceId: string, saved: Parameters<PassageWrites['savePassages']>[1]): Promise<void> {
    const source = await findSource(sourceId)
    if (source === undefined) return
    const first = source.number * MAX_PASSAGES
    await dropPassages(engine, first, gte(passages.last, saved[0]?.first ?? 0))
    const [kept] = await db
      .select({ id: passages.id })
      .from(passages)
      .where(and(isOwn(engine, passages), isOfSource(engine, first)))
      .orderBy(desc(passages.id))
      .limit(1)
    const next = kept === undefined ? first : kept.id + 1
    for (const [at, passage] of saved.slice(0, first + MAX_PASSAGES - next).entries()) {
      const { words: all, lines, last, ...rest } = passage
      const id = next + at
      const isLast = id === first + MAX_PASSAGES - 1
      const row = {
        id,
        ownerId: source.ownerId,
        last: isLast ? MAX_LINES - 1 : last,
        ...rest,
        lines: Buffer.from(lines),
      }
      await db.insert(passages).values({ ...own, ...row, ...words.columns(all) })
      words.add(id, all)
    }
  }

  return {
    savePassages,
    dropPassages: async (sourceId, line) => {
      const source = await findSource(sourceId)
      if (source === undefined) return
      erased()
      await dropPassages(engine, source.number * MAX_PASSAGES, gte(passages.last, line))
    },
  }
}

/** Whether a passage is of the source whose first passage has this number. */
const isOfSource = ({ tables: { passages } }: HistoryEngine, first: number) =>
  between(passages.id, first, first + MAX_PASSAGES - 1)

/**
 * Takes at most `limit` of the passages of a source, whose first one has the number `first`, out of the index. Returns
 * how many.
 */
export async function dropPassages(
  engine: HistoryEngine,
  first: number,
  isMeant: SQL,
  limit = MAX_PASSAGES,
): Promise<number> {
  const { db, tables, words } = engine
  const { passages } = tables
  const condition = and(isOwn(engine, passages), isOfSource(engine, first), isMeant)
  const some = db.select({ id: passages.id }).from(passages).where(condition).limit(limit)
  const dropped = await db
    .delete(passages)
    .where(and(condition, inArray(passages.id, some)))
    .returning({ id: passages.id })
  if (dropped.length > 0) words.remove(dropped.map(({ id }) => id))
  return dropped.length
}
