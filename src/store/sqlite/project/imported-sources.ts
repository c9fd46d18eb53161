import type { ImportedSource } from '../../record.ts'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'

/** By the folders, of which there are few: the index has the folder before the workspace. */
const ERASE_IMPORTED = `with recursive folders (root) as (select min(root) from imported_sources
    union all select (select min(root) from imported_sources where root > folders.root) from folders where root is not null)
  delete from imported_sources where rowid in (select imported.rowid from folders
    cross join imported_sources as imported on imported.root = folders.root and imported.workspace_id = ?1 and (?2 is null or imported.source_id = ?2) limit ?3)`

/** Which sources imports of a folder brought, so that a later import can tell what is gone from it. */
export function createImportedSourceReads(client: Connection): Pick<RecordReads, 'listImportedSources'> {
  const imported = client.statement<ImportedSource, [root: string, workspaceId: number, sourceId: string, limit: number]>(
    `select root, workspace_id as workspaceId, source_id as sourceId from imported_sources
      where root = ?1 and (workspace_id, source_id) > (?2, ?3) order by workspace_id, source_id limit ?4`,
  )
  return {
    listImportedSources: async (root, { after, limit }) => imported.all(root, after?.workspaceId ?? 0, after?.sourceId ?? '', limit),
  }
}

export function createImportedSourceWrites(client: Connection): Pick<RecordWrites, 'saveImportedSource' | 'deleteImportedSource'> {
  const note = client.statement<unknown, [root: string, workspaceId: number, sourceId: string]>(
    'insert into imported_sources (root, workspace_id, source_id) values (?, ?, ?) on conflict do nothing',
  )
  const drop = client.statement<unknown, [root: string, workspaceId: number, sourceId: string]>(
    'delete from imported_sources where root = ? and workspace_id = ? and source_id = ?',
  )
  return {
    saveImportedSource: async ({ root, workspaceId, sourceId }) => void note.run(root, workspaceId, sourceId),
    deleteImportedSource: async ({ root, workspaceId, sourceId }) => void drop.run(root, workspaceId, sourceId),
  }
}

/** Returns a function that erases what is known of a workspace's imported sources, or of one of them, at most `limit`, and returns how many. */
export function createImportedSourceErasure(client: Connection): (workspaceId: number, sourceId: string | null, limit: number) => number {
  const erase = client.statement<unknown, [workspaceId: number, sourceId: string | null, limit: number]>(ERASE_IMPORTED)
  return (workspaceId, sourceId, limit) => erase.run(workspaceId, sourceId, limit).changes
}
