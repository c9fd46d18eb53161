import { and, asc, eq, gt, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistoryBlock, MAX_LINES, MAX_PASSAGES } from '../../history.ts'
import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { isOwn, toKey } from '../engine.ts'
import type { CountBytes } from './owners.ts'
import { dropPassages } from './passages.ts'
import type { HistoryEngine, HistoryWriteEngine } from './tables.ts'

type LineReads = Pick<
  HistoryReads,
  'listLines' | 'listLinesNamed' | 'findLines' | 'findBlock' | 'listBlocks' | 'listLinesOfBlock'
>
type LineWrites = Pick<HistoryWrites, 'insertLines' | 'eraseLines' | 'replaceBlock'>

/** Passages taken out of the index in one write. */
const BATCH_PASSAGES = 200

// A line's id is the number of its source times this, plus its own number.
const FACTOR = sql.raw(String(MAX_LINES))

export function createLineReads(engine: HistoryEngine): LineReads {
  const { db, tables, isAmong } = engine
  const { sources, lines, blocks } = tables
  const line = sql<number>`${lines.id} % ${FACTOR}`.mapWith(Number)
  return {
    listLines: async ({ sourceId, from, limit }) => {
      const first = sql`case when cast(${from} as bigint) > ${sources.erasedLines} then cast(${from} as bigint) else ${sources.erasedLines} + 1 end`
      const isOfSource = sql`${lines.id} between ${sources.number} * ${FACTOR} + ${first} and ${sources.number} * ${FACTOR} + ${sources.lastLine}`
      return db
        .select({ line, block: lines.block, at: lines.at, length: lines.length })
        .from(sources)
        .innerJoin(lines, and(isOwn(engine, lines), isOfSource))
        .where(and(isOwn(engine, sources), eq(sources.id, sourceId)))
        .orderBy(asc(lines.id))
        .limit(limit)
    },
    listLinesNamed: async (names) => {
      const ids = names.map(({ source, line }) => source * MAX_LINES + line)
      const isOfSource = sql`${sources.number} = ${lines.id} / ${FACTOR} and ${line} > ${sources.erasedLines}`
      return db
        .select({ source: sources.number, line, block: lines.block, at: lines.at, length: lines.length })
        .from(lines)
        .innerJoin(sources, and(isOwn(engine, sources), isOfSource, isNull(sources.forgottenAt)))
        .where(and(isOwn(engine, lines), isAmong(lines.id, ids)))
    },
    findLines: async (keys) =>
      db
        .select({ key: lines.key, hash: lines.hash, line })
        .from(lines)
        .where(and(isOwn(engine, lines), isAmong(lines.key, keys))),
    findBlock: async (id) => {
      const found = db.select({ id: blocks.id, sourceId: blocks.sourceId, data: blocks.data }).from(blocks)
      return (await found.where(and(isOwn(engine, blocks), eq(blocks.id, id))))[0]
    },
    listBlocks: async ({ after, limit, isStale }) => {
      const isWanted = and(isOwn(engine, blocks), isStale ? sql`${blocks.stale}` : undefined, gt(blocks.id, after))
      return (await db.select({ id: blocks.id }).from(blocks).where(isWanted).orderBy(asc(blocks.id)).limit(limit)).map(
        ({ id }) => id,
      )
    },
    listLinesOfBlock: async (id) =>
      db
        .select({ id: lines.id, at: lines.at, length: lines.length })
        .from(lines)
        .where(and(isOwn(engine, lines), eq(lines.block, id)))
        .orderBy(asc(lines.at)),
  }
}

export function createLineWrites(
  engine: HistoryWriteEngine,
  countBytes: CountBytes,
  nextBlock: () => { id?: number },
): LineWrites {
  const { db, own, tables, isAmong, toRows, erased } = engine
  const { sources, lines, blocks, passages } = tables

  const isSource = (id: string) => and(isOwn(engine, sources), eq(sources.id, id))

  async function findSource(id: string) {
    const { ownerId, number, erasedLines, lastLine, forgottenAt } = sources
    const [source] = await db
      .select({ ownerId, number, erasedLines, lastLine, forgottenAt })
      .from(sources)
      .where(isSource(id))
    return source && { ...source, first: source.number * MAX_LINES }
  }

  async function requireSource(id: string) {
    const source = await findSource(id)
    if (source === undefined) throw new Error(`no source ${id}`)
    return source
  }

  async function insertBlock(ownerId: string, { sourceId, data }: Omit<HistoryBlock, 'id'>): Promise<number> {
    const [made] = await db
      .insert(blocks)
      .values({ ...own, ...nextBlock(), sourceId, data: Buffer.from(data) })
      .returning({ id: blocks.id })
    if (made === undefined) throw new Error('a block was not stored')
    await countBytes(ownerId, data.length)
    return made.id
  }

  async function eraseBlocks(ownerId: string, condition: SQL): Promise<void> {
    erased()
    const bytes = sql<number>`octet_length(${blocks.data})`
    const deleted = await db
      .delete(blocks)
      .where(and(isOwn(engine, blocks), condition))
      .returning({ bytes })
    for (const one of deleted) await countBytes(ownerId, -one.bytes)
  }

  /** After lines of these blocks were removed. */
  async function settleBlocks(ownerId: string, removed: { block: number }[]): Promise<void> {
    if (removed.length === 0) return
    const isMeant = isAmong(blocks.id, [...new Set(removed.map(({ block }) => block))])
    const isEmpty = sql`not exists (select 1 from ${lines} where ${and(isOwn(engine, lines), eq(lines.block, blocks.id))})`
    await eraseBlocks(ownerId, sql`${isMeant} and ${isEmpty}`)
    await db
      .update(blocks)
      .set({ stale: true })
      .where(and(isOwn(engine, blocks), isMeant))
  }

  return {
    insertLines: async (block, added) => {
      const { ownerId, number, first } = await requireSource(block.sourceId)
      const rows = toRows(
        added.map((line) => ({ ...line, id: first + line.line })),
        { id: lines.id, key: lines.key, hash: lines.hash, at: lines.at, length: lines.length },
      )
      const isReplaced = sql`${lines.id} in (select "row".id from ${rows})`
      const replaced = await db
        .select({ block: lines.block })
        .from(lines)
        .where(and(isOwn(engine, lines), isReplaced))
      const made = await insertBlock(ownerId, block)
      const project = own.projectId === undefined ? sql`` : sql`${own.projectId}, `
      // The condition tells SQLite's parser that what follows is no condition of a join.
      await db
        .insert(lines)
        .select(
          sql`select ${project}"row".id, "row".key, "row".hash, cast(${made} as integer), "row".at, "row".length from ${rows} where true`,
        )
        .onConflictDoUpdate({
          target: toKey(engine, lines, lines.id),
          set: Object.fromEntries(
            ['key', 'hash', 'block', 'at', 'length'].map((name) => [name, sql.raw(`excluded.${name}`)]),
          ),
        })
      await countBytes(ownerId, (added.length - replaced.length) * HISTORY_ROW_BYTES.line)
      await settleBlocks(ownerId, replaced)
      const changed = added.reduce((least, { line }) => Math.min(least, line), MAX_LINES)
      await dropPassages(engine, number * MAX_PASSAGES, gte(passages.last, changed))
    },
    eraseLines: async (sourceId, limit) => {
      const source = await findSource(sourceId)
      if (source === undefined) return false
      erased()
      const { ownerId, number, first, erasedLines, lastLine, forgottenAt } = source
      const lastErased = forgottenAt === null ? erasedLines : lastLine
      const last = first + lastErased
      const isDead = lte(passages.first, lastErased)
      if ((await dropPassages(engine, number * MAX_PASSAGES, isDead, BATCH_PASSAGES)) === BATCH_PASSAGES) return true
      const isErased = and(isOwn(engine, lines), sql`${lines.id} between ${first} and ${last}`)
      const some = db.select({ id: lines.id }).from(lines).where(isErased).limit(limit)
      const removed = await db
        .delete(lines)
        .where(and(isErased, inArray(lines.id, some)))
        .returning({ block: lines.block })
      await countBytes(ownerId, -removed.length * HISTORY_ROW_BYTES.line)
      await settleBlocks(ownerId, removed)
      if (removed.length === limit) return true
      if (forgottenAt !== null) {
        await db.delete(sources).where(isSource(sourceId))
        await countBytes(ownerId, -HISTORY_ROW_BYTES.source)
      }
      return false
    },
    replaceBlock: async (id, block, moved) => {
      const { ownerId } = await requireSource(block.sourceId)
      const made = await insertBlock(ownerId, block)
      await db
        .update(lines)
        .set({ block: made, at: sql`"row".at`, length: sql`"row".length` })
        .from(toRows(moved, { id: lines.id, at: lines.at, length: lines.length }))
        .where(and(isOwn(engine, lines), sql`${lines.id} = "row".id`))
      await eraseBlocks(ownerId, eq(blocks.id, id))
    },
  }
}
