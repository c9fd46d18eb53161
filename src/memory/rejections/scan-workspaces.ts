import { findCredentials, maskFound, toLineAndColumn } from '../../secrets/credentials.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { Workspace } from '../../store/workspace.ts'
import { BATCH_WORKSPACES, eachWorkspaceBatch } from '../workspaces/list-workspaces.ts'
import type { Scan } from './scan-records.ts'

/**
 * Searches the names of all workspaces of a project for credentials, removed ones too. With `isMasking`, such a
 * workspace is called `masked-<number>` from then on; its records stay in it. May be interrupted and called again.
 */
export async function scanWorkspaces(store: ProjectStore, { isMasking, found }: Scan): Promise<void> {
  for await (const workspace of eachWorkspace(store)) {
    const { name } = workspace
    const credentials = await findCredentials(name)
    if (credentials.length === 0) continue
    const id = isMasking ? await store.write((tx) => rename(tx, workspace)) : maskFound(name, credentials)
    for (const { kind, start } of credentials)
      found({ kind, id, field: 'workspace', ...toLineAndColumn(name, start), isDraft: false })
  }
}

async function* eachWorkspace(store: ProjectStore): AsyncGenerator<Workspace, void> {
  for await (const batch of eachWorkspaceBatch(store, undefined)) yield* batch
  for (let afterId = 0; ; ) {
    const batch = await store.listRemovedWorkspaces({ afterId, limit: BATCH_WORKSPACES })
    yield* batch
    if (batch.length < BATCH_WORKSPACES) return
    afterId = batch.at(-1)?.id ?? afterId
  }
}

/** Gives a workspace a name that no other one has, and returns it. */
async function rename(tx: ProjectWrites, { id, removedAt }: Workspace): Promise<string> {
  let name = `masked-${id}`
  while ((await tx.findWorkspace(name)) !== undefined) name += '-'
  await tx.updateWorkspace(id, { name })
  // A name takes a removed workspace into the lists again.
  if (removedAt !== null) await tx.updateWorkspace(id, { removedAt })
  return name
}
