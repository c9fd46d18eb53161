import { and, asc, eq, sql } from 'drizzle-orm'
import type { ImportedSource, Source } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { RecordWrites } from '../../record-writes.ts'
import { isOwn } from '../engine.ts'
import type { ProjectEngine } from './sql.ts'

type Reads = Pick<RecordReads, 'listImportedSources'>
type Writes = Pick<RecordWrites, 'saveImportedSource' | 'deleteImportedSource'>

/** What stands for a folder: its path may be longer than an entry of an index. */
const toStored = ({ root, workspaceId, sourceId }: ImportedSource): ImportedSource => ({
  root: new Bun.CryptoHasher('sha256').update(root).digest('hex'),
  workspaceId,
  sourceId,
})

/** Which sources imports of a folder brought, so that a later import can tell what is gone from it. */
export function createImportedSourceReads(engine: ProjectEngine): Reads {
  const { db, tables } = engine
  const { importedSources: imported } = tables
  return {
    listImportedSources: async (root, { after = { workspaceId: 0, sourceId: '' }, limit }) => {
      const isAfter = sql`(${imported.workspaceId}, ${imported.sourceId}) > (${after.workspaceId}, ${sql.param(after.sourceId, imported.sourceId)})`
      const found = await db
        .select({ workspaceId: imported.workspaceId, sourceId: imported.sourceId })
        .from(imported)
        .where(and(isOwn(engine, imported), eq(imported.root, toStored({ root, ...after }).root), isAfter))
        .orderBy(asc(imported.workspaceId), asc(imported.sourceId))
        .limit(limit)
      return found.map((source) => ({ root, ...source }))
    },
  }
}

export function createImportedSourceWrites(engine: ProjectEngine): Writes {
  const { db, own, tables } = engine
  const { importedSources: imported } = tables
  return {
    saveImportedSource: async (source) =>
      void (await db
        .insert(imported)
        .values({ ...own, ...toStored(source) })
        .onConflictDoNothing()),
    deleteImportedSource: async (source) => {
      const { root, workspaceId, sourceId } = toStored(source)
      const isThisSource = and(
        eq(imported.root, root),
        eq(imported.workspaceId, workspaceId),
        eq(imported.sourceId, sourceId),
      )
      await db.delete(imported).where(and(isOwn(engine, imported), isThisSource))
    },
  }
}

/** Erases at most `limit` of what is known of a workspace's imported sources, or of one of them. Returns how many. */
export async function eraseImportedSources(
  engine: ProjectEngine,
  { workspaceId, sourceId }: { workspaceId: number; sourceId?: Source['sourceId'] | undefined },
  limit: number,
): Promise<number> {
  const { db, tables, place } = engine
  const { importedSources: imported } = tables
  const isNamed = sourceId === undefined ? undefined : eq(imported.sourceId, sourceId)
  const isMeant = and(isOwn(engine, imported), eq(imported.workspaceId, workspaceId), isNamed)
  const some = db.select({ place }).from(imported).where(isMeant).limit(limit)
  return (await db.delete(imported).where(sql`${place} in ${some}`).returning({ one: sql`1` })).length
}
