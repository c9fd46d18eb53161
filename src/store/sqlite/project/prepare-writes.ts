import { getTableColumns, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { records, sources, usage } from '../schema/project.ts'
import { workspaceAudiences } from '../schema/workspace-audience.ts'

const { placeholder } = sql

/** The changes that calls make, prepared once for each open file. */
export function prepareWrites(db: BunSQLiteDatabase) {
  const { seq: _, ...columns } = getTableColumns(records)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, placeholder(name)]))
  return {
    insertRecord: db
      .insert(records)
      .values(values as Record<keyof typeof columns, ReturnType<typeof placeholder>>)
      .returning({ seq: records.seq })
      .prepare(),
    addAudience: db
      .insert(workspaceAudiences)
      .values({ workspaceId: placeholder('workspaceId'), audience: placeholder('audience') })
      .onConflictDoNothing()
      .prepare(),
    count: db
      .update(usage)
      .set({
        records: sql`${usage.records} + ${placeholder('records')}`,
        contentBytes: sql`${usage.contentBytes} + ${placeholder('bytes')}`,
      })
      .prepare(),
    nextTurn: db
      .update(usage)
      .set({ turn: sql`${usage.turn} + 1` })
      .returning({ turn: usage.turn })
      .prepare(),
    passTurn: db
      .update(usage)
      .set({ turn: sql`max(${usage.turn}, ${placeholder('turn')})` })
      .prepare(),
    saveSourceHash: db
      .insert(sources)
      .values({
        workspaceId: placeholder('workspaceId'),
        sourceId: placeholder('sourceId'),
        audience: placeholder('audience'),
        hash: placeholder('hash'),
        turn: placeholder('turn'),
      })
      .onConflictDoUpdate({
        target: [sources.workspaceId, sources.sourceId, sources.audience],
        set: { hash: sql`excluded.hash`, turn: sql`excluded.turn` },
        setWhere: sql`excluded.turn > ${sources.turn}`,
      })
      .prepare(),
    purge: db
      .delete(records)
      .where(
        sql`${records.seq} in (select seq from ${records} where forgotten_at < ${placeholder('before')} limit ${placeholder('limit')})`,
      )
      .returning({ seq: records.seq })
      .prepare(),
  }
}
