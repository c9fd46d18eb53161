import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'
import { importedSources } from '../schema/project.ts'
import { isOf, type Scope } from './scope.ts'

/** The value by which the sources of a folder are found: a path may be longer than an index entry. */
export const toRootDigest = (root: string) => new Bun.CryptoHasher('sha256').update(root).digest('hex')

/** Which sources imports of a folder brought, so that a later import can tell what is gone from it. */
export function createImportedSourceReads(scope: Scope): Pick<RecordReads, 'listImportedSources'> {
  return {
    listImportedSources: (root, { after, limit }) =>
      scope.run(({ db }) => {
        const isAfter =
          after &&
          or(
            gt(importedSources.workspaceId, after.workspaceId),
            and(eq(importedSources.workspaceId, after.workspaceId), gt(importedSources.sourceId, after.sourceId)),
          )
        return db
          .select({ root: importedSources.root, workspaceId: importedSources.workspaceId, sourceId: importedSources.sourceId })
          .from(importedSources)
          .where(and(isOf(importedSources, scope), eq(importedSources.rootDigest, toRootDigest(root)), isAfter))
          .orderBy(asc(importedSources.workspaceId), asc(importedSources.sourceId))
          .limit(limit)
      }),
  }
}

export function createImportedSourceWrites(scope: Scope): Pick<RecordWrites, 'saveImportedSource' | 'deleteImportedSource'> {
  const { projectId, run } = scope
  return {
    saveImportedSource: (source) =>
      run(
        async ({ db }) =>
          void (await db
            .insert(importedSources)
            .values({ projectId, ...source, rootDigest: toRootDigest(source.root) })
            .onConflictDoNothing()),
      ),
    deleteImportedSource: ({ root, workspaceId, sourceId }) =>
      run(async ({ db }) => {
        const { rootDigest } = importedSources
        const isIt = [
          eq(rootDigest, toRootDigest(root)),
          eq(importedSources.workspaceId, workspaceId),
          eq(importedSources.sourceId, sourceId),
        ]
        await db.delete(importedSources).where(and(isOf(importedSources, scope), ...isIt))
      }),
  }
}

type Imported = { workspaceId: number; sourceId: string | undefined }

/** Erases what is known of a workspace's imported sources, or of one of them, at most `limit`. Returns how many. */
export async function eraseImportedSources(db: Connection['db'], scope: Scope, of: Imported, limit: number): Promise<number> {
  const { rootDigest, sourceId, workspaceId } = importedSources
  const isNamed = of.sourceId === undefined ? undefined : eq(sourceId, of.sourceId)
  const isOwn = and(isOf(importedSources, scope), eq(workspaceId, of.workspaceId), isNamed)
  const some = db.select({ rootDigest, sourceId }).from(importedSources).where(isOwn).limit(limit)
  const isAmongThem = sql`(${rootDigest}, ${sourceId}) in ${some}`
  return (await db.delete(importedSources).where(and(isOwn, isAmongThem)).returning({ one: sql`1` })).length
}
