import { eq, getTableColumns } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import {
  HISTORY_ROW_BYTES,
  type HistoryLine,
  type HistoryReads,
  type HistorySegment,
  type HistoryWrites,
  MAX_SEGMENT_LINES,
} from '../../history.ts'
import { toSelectList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { segments } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'

type SegmentReads = Pick<HistoryReads, 'findSegment' | 'listLines' | 'listDeadSegments'>
type SegmentWrites = Pick<HistoryWrites, 'insertSegment' | 'keepSegment' | 'insertLines' | 'eraseLines'>

const FIND = `select ${toSelectList(getTableColumns(segments))} from segments
  where source_id = ? and generation = ? and raw_start = ? and first_line is not null`

/** Starts with the last segment that begins at or before the line, so that every page costs the same. */
const LINES = `select s.first_line + (l.id & ${MAX_SEGMENT_LINES - 1}) as line, r.block, r.at, r.length
  from segments as s indexed by segments_by_line
  cross join lines as l on l.id between s.id * ${MAX_SEGMENT_LINES} and s.id * ${MAX_SEGMENT_LINES} + s.lines - 1
  cross join records as r on r.id = l.record
  where s.source_id = ?1 and s.generation = ?2 and s.first_line >= coalesce((select max(first_line) from segments
      where source_id = ?1 and generation = ?2 and first_line <= ?3 and lines > 0), 0)
    and s.first_line is not null and s.first_line + (l.id & ${MAX_SEGMENT_LINES - 1}) >= ?3
  order by s.first_line, l.id limit ?4`

const DEAD = `select id from (
    select s.id from generations as g indexed by generations_erased cross join segments as s on s.source_id = g.source_id and s.generation = g.generation
      where g.erased_lines > 0 and s.first_line is not null and s.first_line + s.lines - 1 <= g.erased_lines
    union all select s.id from sources as f indexed by sources_forgotten cross join segments as s on s.source_id = f.id
      where f.forgotten_at is not null and s.first_line is not null
    union all select id from segments where first_line is null and received_at < ?1) limit ?2`

export function createSegmentReads(client: Connection): SegmentReads {
  const find = client.statement<HistorySegment, [string, number, number]>(FIND)
  const erased = client.statement<{ erasedLines: number }, [string, number]>(
    'select erased_lines as erasedLines from generations where source_id = ? and generation = ?',
  )
  const list = client.statement<HistoryLine, [string, number, number, number]>(LINES)
  const dead = client.statement<{ id: number }, [number, number]>(DEAD)
  return {
    findSegment: async (sourceId, generation, rawStart) => find.get(sourceId, generation, rawStart) ?? undefined,
    listLines: async ({ sourceId, generation, from, limit }) => {
      const erasedLines = erased.get(sourceId, generation)?.erasedLines ?? 0
      return list.all(sourceId, generation, Math.max(from, erasedLines + 1), limit)
    },
    listDeadSegments: async (unkeptBefore, limit) => dead.all(unkeptBefore, limit).map(({ id }) => id),
  }
}

const INSERT_LINES = `insert into lines (id, record) select ?1 + key, (select id from records where key = unhex(value)) from json_each(?2)`
const OWNER = 'select owner_id as ownerId from sources where id = (select source_id from segments where id = ?)'
const TAKE_LINES = `delete from lines where id in (select id from lines
  where id between ?1 * ${MAX_SEGMENT_LINES} and ?1 * ${MAX_SEGMENT_LINES} + ${MAX_SEGMENT_LINES - 1} limit ?2) returning record`
const TAKE_RECORDS = `delete from records where id in (select value from json_each(?))
  and not exists (select 1 from lines where record = records.id) returning block`
const MARK_BLOCKS = 'update blocks set stale = 1 where id in (select value from json_each(?))'
const ARRIVED = `update owners set received_at = max(coalesce(received_at, 0), ?2) where owner_id = ?1`

export function createSegmentWrites(client: Connection, db: BunSQLiteDatabase, countBytes: CountBytes): SegmentWrites {
  const insertLines = client.statement<unknown, [number, string]>(INSERT_LINES)
  const findOwner = client.statement<{ ownerId: string }, [number]>(OWNER)
  const takeLines = client.statement<{ record: number }, [number, number]>(TAKE_LINES)
  const takeRecords = client.statement<{ block: number }, [string]>(TAKE_RECORDS)
  const markBlocks = client.statement<unknown, [string]>(MARK_BLOCKS)
  const arrived = client.statement<unknown, [string, number]>(ARRIVED)

  function ownerOf(segmentId: number): string {
    const found = findOwner.get(segmentId)
    if (found === null) throw new Error(`no segment ${segmentId}`)
    return found.ownerId
  }

  return {
    insertSegment: async (segment) => {
      const { id } = db
        .insert(segments)
        .values({ ...segment, lines: 0 })
        .returning({ id: segments.id })
        .get()
      countBytes(ownerOf(id), HISTORY_ROW_BYTES.segment)
      return id
    },
    keepSegment: async (id, firstLine, lines) => {
      const { receivedAt } = db.update(segments).set({ firstLine, lines }).where(eq(segments.id, id)).returning().get()
      arrived.run(ownerOf(id), receivedAt)
    },
    insertLines: async (segmentId, at, keys) => {
      insertLines.run(segmentId * MAX_SEGMENT_LINES + at, JSON.stringify(keys))
      countBytes(ownerOf(segmentId), keys.length * HISTORY_ROW_BYTES.line)
    },
    eraseLines: async (segmentId, limit) => {
      // Another process may have removed it already.
      if (findOwner.get(segmentId) === null) return true
      const ownerId = ownerOf(segmentId)
      const taken = takeLines.all(segmentId, limit).map(({ record }) => record)
      const stale = takeRecords.all(JSON.stringify(taken)).map(({ block }) => block)
      if (stale.length > 0) markBlocks.run(JSON.stringify([...new Set(stale)]))
      countBytes(ownerId, -(taken.length * HISTORY_ROW_BYTES.line + stale.length * HISTORY_ROW_BYTES.record))
      if (taken.length === limit) return false
      db.delete(segments).where(eq(segments.id, segmentId)).run()
      countBytes(ownerId, -HISTORY_ROW_BYTES.segment)
      return true
    },
  }
}
