import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { type BlockLine, HISTORY_ROW_BYTES, type HistoryBlock, type HistoryReads, type HistoryWrites, MAX_LINES } from '../../history.ts'
import { isAmong, numbers } from '../among.ts'
import { isOf, type Scope } from '../project/scope.ts'
import { historyBlocks as blocks, historyLines as lines, historySources as sources } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'
import type { HistoryState } from './state.ts'

type LineReads = Pick<HistoryReads, 'listLines' | 'findLines' | 'findBlock' | 'listBlocks' | 'listLinesOfBlock'>
type LineWrites = Pick<HistoryWrites, 'insertLines' | 'eraseLines' | 'replaceBlock'>

const { line, blockId: block, at, length } = getTableColumns(lines)
/** One number for source and line. */
const id = sql<number>`(${lines.source}::bigint * ${sql.raw(String(MAX_LINES))} + ${lines.line})`.mapWith(Number)

export function createLineReads(scope: Scope): LineReads {
  const { run } = scope
  return {
    listLines: ({ sourceId, from, limit }) =>
      run(({ db }) =>
        db
          .select({ line, block, at, length })
          .from(sources)
          .innerJoin(lines, and(isOf(lines, scope), eq(lines.source, sources.number)))
          .where(and(isOf(sources, scope), eq(sources.id, sourceId), sql`${line} >= greatest(${from}::bigint, ${sources.erasedLines} + 1)`))
          .orderBy(asc(line))
          .limit(limit),
      ),
    findLines: (keys) =>
      run(({ db }) =>
        db
          .select({ key: lines.key, hash: lines.hash, line })
          .from(lines)
          .where(and(isOf(lines, scope), isAmong(lines.key, keys))),
      ),
    findBlock: (blockId) =>
      run(async ({ db }) => {
        const columns = { id: blocks.id, sourceId: blocks.sourceId, data: blocks.data }
        return (
          await db
            .select(columns)
            .from(blocks)
            .where(and(isOf(blocks, scope), eq(blocks.id, blockId)))
        )[0]
      }),
    listBlocks: ({ after, limit, isStale }) =>
      run(async ({ db }) => {
        const isAmongThem = and(isOf(blocks, scope), isStale ? sql`stale` : undefined, gt(blocks.id, after))
        return (await db.select({ id: blocks.id }).from(blocks).where(isAmongThem).orderBy(asc(blocks.id)).limit(limit)).map(({ id }) => id)
      }),
    listLinesOfBlock: (blockId) =>
      run(
        ({ db }): Promise<BlockLine[]> =>
          db
            .select({ id, at, length })
            .from(lines)
            .where(and(isOf(lines, scope), eq(block, blockId)))
            .orderBy(asc(at)),
      ),
  }
}

export function createLineWrites(scope: Scope, state: () => HistoryState, countBytes: CountBytes): LineWrites {
  const { run, projectId } = scope

  async function requireSource(sourceId: string): Promise<{ ownerId: string; number: number; erased: number }> {
    const erased = sql<number>`case when ${sources.forgottenAt} is null then ${sources.erasedLines} else ${sources.lastLine} end`.mapWith(
      Number,
    )
    const [found] = await run(({ db }) =>
      db
        .select({ ownerId: sources.ownerId, number: sources.number, erased })
        .from(sources)
        .where(and(isOf(sources, scope), eq(sources.id, sourceId))),
    )
    if (found === undefined) throw new Error(`no source ${sourceId}`)
    return found
  }

  async function insertBlock(ownerId: string, { sourceId, data }: Omit<HistoryBlock, 'id'>): Promise<number> {
    const blockId = ++state().lastBlockId
    await run(({ db }) => db.insert(blocks).values({ projectId, id: blockId, sourceId, data }))
    await countBytes(ownerId, data.length)
    return blockId
  }

  async function eraseBlocks(ownerId: string, condition: SQL | undefined): Promise<void> {
    const bytes = sql<number>`octet_length(${blocks.data})`
    const erased = await run(({ db }) =>
      db
        .delete(blocks)
        .where(and(isOf(blocks, scope), condition))
        .returning({ bytes }),
    )
    const sum = erased.reduce((total, one) => total + one.bytes, 0)
    if (sum > 0) await countBytes(ownerId, -sum)
  }

  /** After lines of these blocks were removed. */
  async function settleBlocks(ownerId: string, removed: { block: number }[]): Promise<void> {
    if (removed.length === 0) return
    const isMeant = sql`${blocks.id} in ${numbers(new Set(removed.map((one) => one.block)))}`
    const isEmpty = sql`not exists (select 1 from history_lines as line where line.project_id = ${projectId} and line.block_id = ${blocks.id})`
    await eraseBlocks(ownerId, and(isMeant, isEmpty))
    await run(({ db }) =>
      db
        .update(blocks)
        .set({ stale: true })
        .where(and(isOf(blocks, scope), isMeant)),
    )
  }

  return {
    insertLines: async (added, rows) => {
      const { ownerId, number } = await requireSource(added.sourceId)
      const isOfSource = and(isOf(lines, scope), eq(lines.source, number))
      const replaced = await run(({ db }) =>
        db
          .select({ block })
          .from(lines)
          .where(and(isOfSource, sql`${line} in ${numbers(rows.map((row) => row.line))}`)),
      )
      const blockId = await insertBlock(ownerId, added)
      await run(({ db }) =>
        db.execute(sql`insert into history_lines (project_id, source, line, key, hash, block_id, at, length)
          select ${projectId}, ${number}::integer, row.line, row.key, row.hash, ${blockId}::integer, row.at, row.length
          from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (line bigint, key text, hash text, at integer, length integer)
          on conflict (project_id, source, line) do update
            set key = excluded.key, hash = excluded.hash, block_id = excluded.block_id, at = excluded.at, length = excluded.length`),
      )
      await countBytes(ownerId, (rows.length - replaced.length) * HISTORY_ROW_BYTES.line)
      await settleBlocks(ownerId, replaced)
    },
    eraseLines: async (sourceId, limit) => {
      const { ownerId, number, erased } = await requireSource(sourceId)
      const isErased = and(isOf(lines, scope), eq(lines.source, number), sql`${line} <= ${erased}`)
      const removed = await run(({ db }) => {
        const some = db.select({ line }).from(lines).where(isErased).limit(limit)
        return db
          .delete(lines)
          .where(and(isErased, sql`${line} in ${some}`))
          .returning({ block })
      })
      await countBytes(ownerId, -removed.length * HISTORY_ROW_BYTES.line)
      await settleBlocks(ownerId, removed)
      return removed.length === limit
    },
    replaceBlock: async (blockId, made, moved) => {
      const { ownerId } = await requireSource(made.sourceId)
      const to = await insertBlock(ownerId, made)
      await run(({ db }) =>
        db.execute(sql`update history_lines as line set block_id = ${to}, at = row.at, length = row.length
          from json_to_recordset(${JSON.stringify(moved)}::text::json) as row (id bigint, at integer, length integer)
          where line.project_id = ${projectId} and line.source = row.id / ${sql.raw(String(MAX_LINES))} and line.line = row.id % ${sql.raw(String(MAX_LINES))}`),
      )
      await eraseBlocks(ownerId, eq(blocks.id, blockId))
    },
  }
}
