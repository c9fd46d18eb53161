import { eq } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import {
  type BlockLine,
  HISTORY_ROW_BYTES,
  type HistoryBlock,
  type HistoryLine,
  type HistoryReads,
  type HistoryWrites,
  type LineKey,
  MAX_LINES,
} from '../../history.ts'
import type { Connection } from '../connection.ts'
import { blocks } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'

type LineReads = Pick<HistoryReads, 'listLines' | 'findLines' | 'findBlock' | 'listBlocks' | 'listLinesOfBlock'>
type LineWrites = Pick<HistoryWrites, 'insertLines' | 'eraseLines' | 'replaceBlock'>

const LINES = `select l.id & ${MAX_LINES - 1} as line, l.block, l.at, l.length
  from sources as s cross join lines as l on l.id between s.number * ${MAX_LINES} + max(?2, s.erased_lines + 1) and s.number * ${MAX_LINES} + s.last_line
  where s.id = ?1 order by l.id limit ?3`

const KNOWN = `select value as key, lower(hex(lines.hash)) as hash, lines.id & ${MAX_LINES - 1} as line
  from json_each(?) cross join lines on lines.key = unhex(value)`

export function createLineReads(client: Connection): LineReads {
  const list = client.statement<HistoryLine, [string, number, number]>(LINES)
  const known = client.statement<LineKey & { line: number }, [string]>(KNOWN)
  const find = client.statement<HistoryBlock, [number]>('select id, source_id as sourceId, data from blocks where id = ?')
  const stale = client.statement<{ id: number }, [number, number]>('select id from blocks where stale = 1 and id > ? order by id limit ?')
  const all = client.statement<{ id: number }, [number, number]>('select id from blocks where id > ? order by id limit ?')
  const linesOf = client.statement<BlockLine, [number]>('select id, at, length from lines where block = ? order by at')
  return {
    listLines: async ({ sourceId, from, limit }) => list.all(sourceId, from, limit),
    findLines: async (keys) => known.all(JSON.stringify(keys)),
    findBlock: async (id) => find.get(id) ?? undefined,
    listBlocks: async ({ after, limit, isStale }) => (isStale ? stale : all).all(after, limit).map(({ id }) => id),
    listLinesOfBlock: async (id) => linesOf.all(id),
  }
}

const OWNER = 'select owner_id as ownerId, number from sources where id = ?'
const REPLACED = `select block from lines where id in (select ?1 * ${MAX_LINES} + (value ->> 'line') from json_each(?2))`
const INSERT = `insert into lines (id, key, hash, block, at, length)
  select ?1 * ${MAX_LINES} + (value ->> 'line'), unhex(value ->> 'key'), unhex(value ->> 'hash'), ?2, value ->> 'at', value ->> 'length' from json_each(?3) where true
  on conflict (id) do update set key = excluded.key, hash = excluded.hash, block = excluded.block, at = excluded.at, length = excluded.length`
const ERASE = `delete from lines where id in (select l.id
  from sources as s cross join lines as l on l.id between s.number * ${MAX_LINES} and s.number * ${MAX_LINES} + iif(s.forgotten_at is null, s.erased_lines, s.last_line)
  where s.id = ?1 limit ?2) returning block`
const ERASE_EMPTY = `delete from blocks where id in (select value from json_each(?)) and not exists (select 1 from lines where block = blocks.id)
  returning length(data) as bytes`
const MARK_STALE = 'update blocks set stale = 1 where id in (select value from json_each(?))'

export function createLineWrites(client: Connection, db: BunSQLiteDatabase, countBytes: CountBytes): LineWrites {
  const owner = client.statement<{ ownerId: string; number: number }, [string]>(OWNER)
  const replaced = client.statement<{ block: number }, [number, string]>(REPLACED)
  const insertLines = client.statement<unknown, [number, number, string]>(INSERT)
  const eraseLines = client.statement<{ block: number }, [string, number]>(ERASE)
  const eraseEmpty = client.statement<{ bytes: number }, [string]>(ERASE_EMPTY)
  const markStale = client.statement<unknown, [string]>(MARK_STALE)
  const move = client.statement<unknown, [number, number, number, number]>('update lines set block = ?, at = ?, length = ? where id = ?')

  function requireSource(id: string): { ownerId: string; number: number } {
    const found = owner.get(id)
    if (found === null) throw new Error(`no source ${id}`)
    return found
  }

  function insertBlock({ sourceId, data }: Omit<HistoryBlock, 'id'>): number {
    const [made] = db
      .insert(blocks)
      .values({ sourceId, data: Buffer.from(data) })
      .returning({ id: blocks.id })
      .all()
    if (made === undefined) throw new Error('a block was not stored')
    countBytes(requireSource(sourceId).ownerId, data.length)
    return made.id
  }

  /** After lines of these blocks were removed. */
  function settleBlocks(ownerId: string, lines: { block: number }[]): void {
    const ids = JSON.stringify([...new Set(lines.map(({ block }) => block))])
    for (const { bytes } of eraseEmpty.all(ids)) countBytes(ownerId, -bytes)
    markStale.run(ids)
  }

  return {
    insertLines: async (block, added) => {
      const { ownerId, number } = requireSource(block.sourceId)
      const rows = JSON.stringify(added)
      const old = replaced.all(number, rows)
      insertLines.run(number, insertBlock(block), rows)
      countBytes(ownerId, (added.length - old.length) * HISTORY_ROW_BYTES.line)
      settleBlocks(ownerId, old)
    },
    eraseLines: async (sourceId, limit) => {
      const { ownerId } = requireSource(sourceId)
      const erased = eraseLines.all(sourceId, limit)
      countBytes(ownerId, -erased.length * HISTORY_ROW_BYTES.line)
      settleBlocks(ownerId, erased)
      return erased.length === limit
    },
    replaceBlock: async (id, block, moved) => {
      const made = insertBlock(block)
      for (const line of moved) move.run(made, line.at, line.length, line.id)
      const [erased] = db.delete(blocks).where(eq(blocks.id, id)).returning({ data: blocks.data }).all()
      if (erased !== undefined) countBytes(requireSource(block.sourceId).ownerId, -erased.data.length)
    },
  }
}
