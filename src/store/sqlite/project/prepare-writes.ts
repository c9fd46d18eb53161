import { sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { records, sources, usage } from '../schema/project.ts'

const { placeholder } = sql

/** Changes prepared once for each open file. */
export function prepareWrites(db: BunSQLiteDatabase) {
  return {
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
