import { and, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { records, sources, usage, workspaces } from '../schema/project.ts'
import { workspaceAudiences } from '../schema/workspace-audience.ts'
import { RECORD, seen } from './select.ts'

const { placeholder } = sql

/** The reads that calls make, prepared once for each open file. */
export function prepareReads(db: BunSQLiteDatabase) {
  const kept = isNull(records.forgottenAt)
  const inWorkspace = eq(records.workspaceId, placeholder('workspaceId'))
  const forAudience = eq(records.audience, placeholder('audience'))
  const selectRecords = (...conditions: SQL[]) =>
    db
      .select(RECORD)
      .from(records)
      .where(and(...conditions))
  return {
    workspace: db
      .select()
      .from(workspaces)
      .where(and(eq(workspaces.name, placeholder('name')), isNull(workspaces.removedAt)))
      .prepare(),
    writtenFor: db
      .select()
      .from(workspaceAudiences)
      .where(and(eq(workspaceAudiences.workspaceId, placeholder('workspaceId')), seen(workspaceAudiences.audience)))
      .limit(1)
      .prepare(),
    byId: selectRecords(seen(records.audience), eq(records.id, placeholder('id'))).prepare(),
    bySeq: selectRecords(
      seen(records.audience),
      kept,
      sql`${records.seq} in (select value from json_each(${placeholder('seqs')}))`,
    ).prepare(),
    sameContent: selectRecords(
      eq(records.contentHash, placeholder('hash')),
      eq(records.content, placeholder('content')),
      // The plus keeps the engine from walking through the workspace instead of looking up the hash.
      sql`+${records.workspaceId} = ${placeholder('workspaceId')}`,
      forAudience,
      kept,
    ).prepare(),
    currentByFactKey: selectRecords(
      inWorkspace,
      eq(records.factKey, placeholder('factKey')),
      sql`${records.factKeyGiven} = 1`,
      forAudience,
      kept,
      ne(records.status, 'superseded'),
    ).prepare(),
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
      .select({ hash: sources.hash, turn: sources.turn })
      .from(sources)
      .where(
        and(
          eq(sources.workspaceId, placeholder('workspaceId')),
          eq(sources.sourceId, placeholder('sourceId')),
          eq(sources.audience, placeholder('audience')),
        ),
      )
      .prepare(),
    usage: db.select({ records: usage.records, contentBytes: usage.contentBytes, turn: usage.turn }).from(usage).prepare(),
  }
}
