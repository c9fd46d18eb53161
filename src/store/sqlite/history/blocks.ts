import { eq } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { HISTORY_ROW_BYTES, type HistoryBlock, type HistoryReads, type HistoryWrites, type NewHistoryRecord } from '../../history.ts'
import type { Connection } from '../connection.ts'
import { blocks } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'

type BlockReads = Pick<HistoryReads, 'findBlock' | 'listKnownKeys' | 'listBlocks' | 'listRecordsOfBlock'>
type BlockWrites = Pick<HistoryWrites, 'insertBlock' | 'replaceBlock' | 'eraseBlock'>
type StoredRecord = NewHistoryRecord & { id: number }

export function createBlockReads(client: Connection): BlockReads {
  const find = client.statement<HistoryBlock, [number]>(
    'select id, owner_id as ownerId, raw_bytes as rawBytes, data from blocks where id = ?',
  )
  const known = client.statement<{ key: string }, [string]>(
    'select value as key from json_each(?) where exists (select 1 from records where records.key = unhex(value))',
  )
  const stale = client.statement<{ id: number }, [number, number]>('select id from blocks where stale = 1 and id > ? order by id limit ?')
  const all = client.statement<{ id: number }, [number, number]>('select id from blocks where id > ? order by id limit ?')
  const recordsOf = client.statement<StoredRecord, [number]>(
    'select id, lower(hex(key)) as key, at, length from records where block = ? order by at',
  )
  return {
    findBlock: async (id) => find.get(id) ?? undefined,
    listKnownKeys: async (keys) => known.all(JSON.stringify(keys)).map(({ key }) => key),
    listBlocks: async ({ after, limit, isStale }) => (isStale ? stale : all).all(after, limit).map(({ id }) => id),
    listRecordsOfBlock: async (id) => recordsOf.all(id),
  }
}

export function createBlockWrites(client: Connection, db: BunSQLiteDatabase, countBytes: CountBytes): BlockWrites {
  const insertRecord = client.statement<unknown, [string, number, number, number]>(
    'insert into records (key, block, at, length) values (unhex(?), ?, ?, ?)',
  )
  const moveRecord = client.statement<unknown, [number, number, number, number]>(
    'update records set block = ?, at = ?, length = ? where id = ?',
  )

  function insert({ ownerId, data, rawBytes }: Omit<HistoryBlock, 'id'>): number {
    const { id } = db
      .insert(blocks)
      .values({ ownerId, rawBytes, data: Buffer.from(data) })
      .returning({ id: blocks.id })
      .get()
    countBytes(ownerId, data.length)
    return id
  }

  function erase(id: number): void {
    const [erased] = db.delete(blocks).where(eq(blocks.id, id)).returning({ ownerId: blocks.ownerId, data: blocks.data }).all()
    if (erased !== undefined) countBytes(erased.ownerId, -erased.data.length)
  }

  return {
    insertBlock: async (block, records) => {
      const id = insert(block)
      for (const { key, at, length } of records) insertRecord.run(key, id, at, length)
      countBytes(block.ownerId, records.length * HISTORY_ROW_BYTES.record)
    },
    replaceBlock: async (id, block, records) => {
      const made = insert(block)
      for (const record of records) moveRecord.run(made, record.at, record.length, record.id)
      erase(id)
    },
    eraseBlock: async (id) => erase(id),
  }
}
