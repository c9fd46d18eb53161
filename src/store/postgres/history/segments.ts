import { and, asc, eq, getTableColumns, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistoryReads, type HistoryWrites } from '../../history.ts'
import { numbers } from '../among.ts'
import { isOf, type Scope } from '../project/scope.ts'
import {
  historyBlocks as blocks,
  historyGenerations as generations,
  historyLines as lines,
  historyOwners as owners,
  historyRecords as records,
  historySegments as segments,
  historySources as sources,
} from '../schema/history.ts'
import type { CountBytes } from './owners.ts'
import type { HistoryState } from './state.ts'

type SegmentReads = Pick<HistoryReads, 'findSegment' | 'listLines' | 'listDeadSegments'>
type SegmentWrites = Pick<HistoryWrites, 'insertSegment' | 'keepSegment' | 'insertLines' | 'eraseLines'>

const { projectId: _projectId, ...SEGMENT } = getTableColumns(segments)

export function createSegmentReads(scope: Scope): SegmentReads {
  const { run, projectId } = scope
  return {
    findSegment: (sourceId, generation, rawStart) =>
      run(async ({ db }) => {
        const isIt = [eq(segments.sourceId, sourceId), eq(segments.generation, generation), eq(segments.rawStart, rawStart)]
        return (
          await db
            .select(SEGMENT)
            .from(segments)
            .where(and(isOf(segments, scope), ...isIt, isNotNull(segments.firstLine)))
        )[0]
      }),
    listLines: ({ sourceId, generation, from, limit }) =>
      run(async ({ db }) => {
        const ofGeneration = and(isOf(segments, scope), eq(segments.sourceId, sourceId), eq(segments.generation, generation))
        const [erased] = await db
          .select({ lines: generations.erasedLines })
          .from(generations)
          .where(and(isOf(generations, scope), eq(generations.sourceId, sourceId), eq(generations.generation, generation)))
        const first = Math.max(from, (erased?.lines ?? 0) + 1)
        // Begins with the last segment that begins at or before the line, so that a page costs the same wherever it is.
        const begins = db
          .select({ first: sql`coalesce(max(${segments.firstLine}), 0)` })
          .from(segments)
          .where(and(ofGeneration, lte(segments.firstLine, first), gt(segments.lines, 0)))
        const number = sql<number>`${segments.firstLine} + ${lines.place}`
        return db
          .select({ line: number, block: records.blockId, at: records.at, length: records.length })
          .from(segments)
          .innerJoin(lines, and(isOf(lines, scope), eq(lines.segmentId, segments.id)))
          .innerJoin(records, and(isOf(records, scope), eq(records.id, lines.recordId)))
          .where(and(ofGeneration, sql`${segments.firstLine} >= ${begins}`, sql`${number} >= ${first}`))
          .orderBy(asc(segments.firstLine), asc(lines.place))
          .limit(limit)
      }),
    listDeadSegments: (unkeptBefore, limit) =>
      run(async ({ db }) => {
        const found = await db.execute(sql`select s.id from history_segments as s
            join history_generations as g on g.project_id = s.project_id and g.source_id = s.source_id and g.generation = s.generation
            where s.project_id = ${projectId} and g.erased_lines > 0 and s.first_line is not null and s.first_line + s.lines - 1 <= g.erased_lines
          union select s.id from history_segments as s join history_sources as f on f.project_id = s.project_id and f.id = s.source_id
            where s.project_id = ${projectId} and f.forgotten_at is not null and s.first_line is not null
          union select s.id from history_segments as s
            where s.project_id = ${projectId} and s.first_line is null and s.received_at < ${unkeptBefore} limit ${limit}`)
        return found.map(({ id }): number => id)
      }),
  }
}

export function createSegmentWrites(scope: Scope, state: () => HistoryState, countBytes: CountBytes): SegmentWrites {
  const { run, projectId } = scope
  const isSegment = (id: number) => and(isOf(segments, scope), eq(segments.id, id))

  async function findOwner(id: number): Promise<string | undefined> {
    const found = await run(({ db }) =>
      db
        .select({ ownerId: sources.ownerId })
        .from(segments)
        .innerJoin(sources, and(isOf(sources, scope), eq(sources.id, segments.sourceId)))
        .where(isSegment(id)),
    )
    return found[0]?.ownerId
  }

  async function requireOwner(id: number): Promise<string> {
    const ownerId = await findOwner(id)
    if (ownerId === undefined) throw new Error(`no segment ${id}`)
    return ownerId
  }

  /** Takes lines off a segment. Returns how many, and how many records nobody has any more. */
  const takeLines = (id: number, limit: number) =>
    run(async ({ db }) => {
      const some = db
        .select({ place: lines.place })
        .from(lines)
        .where(and(isOf(lines, scope), eq(lines.segmentId, id)))
        .limit(limit)
      const taken = await db
        .delete(lines)
        .where(and(isOf(lines, scope), eq(lines.segmentId, id), sql`${lines.place} in ${some}`))
        .returning({ record: lines.recordId })
      const isUnused = sql`not exists (select 1 from history_lines as line where line.project_id = ${projectId} and line.record_id = ${records.id})`
      const erased = await db
        .delete(records)
        .where(and(isOf(records, scope), sql`${records.id} in ${numbers(taken.map(({ record }) => record))}`, isUnused))
        .returning({ block: records.blockId })
      const stale = new Set(erased.map(({ block }) => block))
      if (stale.size > 0)
        await db
          .update(blocks)
          .set({ stale: true })
          .where(and(isOf(blocks, scope), sql`${blocks.id} in ${numbers(stale)}`))
      return { taken: taken.length, erased: erased.length }
    })

  return {
    insertSegment: async (segment) => {
      const id = ++state().lastSegmentId
      await run(({ db }) => db.insert(segments).values({ projectId, ...segment, id, lines: 0 }))
      await countBytes(await requireOwner(id), HISTORY_ROW_BYTES.segment)
      return id
    },
    keepSegment: async (id, firstLine, count) => {
      const ownerId = await requireOwner(id)
      await run(async ({ db }) => {
        const [kept] = await db.update(segments).set({ firstLine, lines: count }).where(isSegment(id)).returning()
        const receivedAt = sql`greatest(${owners.receivedAt}, ${kept?.receivedAt ?? 0}::bigint)`
        await db
          .update(owners)
          .set({ receivedAt })
          .where(and(isOf(owners, scope), eq(owners.ownerId, ownerId)))
      })
    },
    insertLines: async (segmentId, at, keys) => {
      const ownerId = await requireOwner(segmentId)
      const rows = keys.map((key, place) => ({ key, place: at + place }))
      await run(({ db }) =>
        db.execute(sql`insert into history_lines (project_id, segment_id, place, record_id)
          select ${projectId}, ${segmentId}::integer, row.place,
            (select id from history_records as record where record.project_id = ${projectId} and record.key = row.key)
          from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (key text, place integer)`),
      )
      await countBytes(ownerId, keys.length * HISTORY_ROW_BYTES.line)
    },
    eraseLines: async (segmentId, limit) => {
      // Another process may have been faster.
      const ownerId = await findOwner(segmentId)
      if (ownerId === undefined) return true
      const { taken, erased } = await takeLines(segmentId, limit)
      await countBytes(ownerId, -(taken * HISTORY_ROW_BYTES.line + erased * HISTORY_ROW_BYTES.record))
      if (taken === limit) return false
      await run(({ db }) => db.delete(segments).where(isSegment(segmentId)))
      await countBytes(ownerId, -HISTORY_ROW_BYTES.segment)
      return true
    },
  }
}
