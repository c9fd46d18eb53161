import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistoryBlock, type HistoryReads, type HistoryWrites } from '../../history.ts'
import { isAmong } from '../among.ts'
import { isOf, type Scope } from '../project/scope.ts'
import { historyBlocks as blocks, historyRecords as records } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'
import type { HistoryState } from './state.ts'

type BlockReads = Pick<HistoryReads, 'findBlock' | 'listKnownKeys' | 'listBlocks' | 'listRecordsOfBlock'>
type BlockWrites = Pick<HistoryWrites, 'insertBlock' | 'replaceBlock' | 'eraseBlock'>

export function createBlockReads(scope: Scope): BlockReads {
  const { run } = scope
  return {
    findBlock: (id) =>
      run(async ({ db }) => {
        const columns = { id: blocks.id, ownerId: blocks.ownerId, rawBytes: blocks.rawBytes, data: blocks.data }
        return (
          await db
            .select(columns)
            .from(blocks)
            .where(and(isOf(blocks, scope), eq(blocks.id, id)))
        )[0]
      }),
    listKnownKeys: (keys) =>
      run(async ({ db }) =>
        (
          await db
            .select({ key: records.key })
            .from(records)
            .where(and(isOf(records, scope), isAmong(records.key, keys)))
        ).map(({ key }) => key),
      ),
    listBlocks: ({ after, limit, isStale }) =>
      run(async ({ db }) => {
        const isAmongThem = and(isOf(blocks, scope), isStale ? sql`stale` : undefined, gt(blocks.id, after))
        return (await db.select({ id: blocks.id }).from(blocks).where(isAmongThem).orderBy(asc(blocks.id)).limit(limit)).map(({ id }) => id)
      }),
    listRecordsOfBlock: (id) =>
      run(({ db }) =>
        db
          .select({ id: records.id, key: records.key, at: records.at, length: records.length })
          .from(records)
          .where(and(isOf(records, scope), eq(records.blockId, id)))
          .orderBy(asc(records.at)),
      ),
  }
}

export function createBlockWrites(scope: Scope, state: () => HistoryState, countBytes: CountBytes): BlockWrites {
  const { run, projectId } = scope

  async function insert({ ownerId, data, rawBytes }: Omit<HistoryBlock, 'id'>): Promise<number> {
    const id = ++state().lastBlockId
    await run(({ db }) => db.insert(blocks).values({ projectId, id, ownerId, rawBytes, data }))
    await countBytes(ownerId, data.length)
    return id
  }

  async function erase(id: number): Promise<void> {
    const size = sql<number>`octet_length(${blocks.data})`
    const [erased] = await run(({ db }) =>
      db
        .delete(blocks)
        .where(and(isOf(blocks, scope), eq(blocks.id, id)))
        .returning({ ownerId: blocks.ownerId, size }),
    )
    if (erased !== undefined) await countBytes(erased.ownerId, -erased.size)
  }

  return {
    insertBlock: async (block, added) => {
      const blockId = await insert(block)
      const first = state().lastRecordId + 1
      state().lastRecordId += added.length
      const rows = added.map((record, at) => ({ ...record, id: first + at }))
      await run(({ db }) =>
        db.execute(sql`insert into history_records (project_id, id, key, block_id, at, length)
          select ${projectId}, row.id, row.key, ${blockId}::integer, row.at, row.length
          from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (id integer, key text, at integer, length integer)`),
      )
      await countBytes(block.ownerId, added.length * HISTORY_ROW_BYTES.record)
    },
    replaceBlock: async (id, block, moved) => {
      const blockId = await insert(block)
      await run(({ db }) =>
        db.execute(sql`update history_records as record set block_id = ${blockId}, at = row.at, length = row.length
          from json_to_recordset(${JSON.stringify(moved)}::text::json) as row (id integer, at integer, length integer)
          where record.project_id = ${projectId} and record.id = row.id`),
      )
      await erase(id)
    },
    eraseBlock: erase,
  }
}
