import { and, desc, eq, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { records, sources, workspaceAudiences } from '../schema/project.ts'
import { RECORD, seen } from './select.ts'

const { placeholder } = sql

/** The reads that calls make, prepared once for each open file. */
export function prepareReads(db: BunSQLiteDatabase) {
  return {
    writtenFor: db
      .select()
      .from(workspaceAudiences)
      .where(and(eq(workspaceAudiences.workspaceId, placeholder('workspaceId')), seen(workspaceAudiences.audience)))
      .limit(1)
      .prepare(),
    byId: db
      .select(RECORD)
      .from(records)
      .where(and(seen(records.audience), eq(records.id, placeholder('id'))))
      .prepare(),
    currentHash: db
      .select({ hash: sources.hash })
      .from(sources)
      .where(
        and(eq(sources.workspaceId, placeholder('workspaceId')), eq(sources.sourceId, placeholder('sourceId')), seen(sources.audience)),
      )
      .orderBy(desc(sources.turn))
      .limit(1)
      .prepare(),
    sourceState: db
      .select({ hash: sources.hash, saveSequence: sources.turn })
      .from(sources)
      .where(
        and(
          eq(sources.workspaceId, placeholder('workspaceId')),
          eq(sources.sourceId, placeholder('sourceId')),
          eq(sources.audience, placeholder('audience')),
        ),
      )
      .prepare(),
  }
}
