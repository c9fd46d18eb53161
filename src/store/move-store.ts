import { moveParts } from './move/move-parts.ts'
import type { MakeAnew } from './move/tables.ts'
import type { Credentials, Moved, OnProgress } from './move.ts'
import type { Location } from './open-store.ts'
import { openFolderSource } from './sqlite/move/folder.ts'
import { createFolderTarget } from './sqlite/move/folder-target.ts'

/** The parameters of a move, in addition to its places. */
type MoveRequest = MakeAnew & { credentials: Credentials; onProgress: OnProgress }

/**
 * Moves everything from a place that no service uses into an empty one, and compares both. If it is interrupted, the
 * same call continues it; until then `openStore` does not open the target. The source is not changed.
 *
 * @throws Refusal if the source is in use, the target is not empty, or the two differ in the end.
 */
export async function moveStore(
  from: Location,
  to: Location,
  { credentials, onProgress, ...anew }: MoveRequest,
): Promise<Moved> {
  const source = await openSource(from, anew.now)
  const target = await createTarget(to, anew)
  try {
    return await moveParts(source, target, credentials, onProgress)
  } finally {
    await source.close()
    await target.close()
  }
}

async function openSource({ dataDir, databaseUrl }: Location, now: number) {
  if (databaseUrl === undefined) return openFolderSource(dataDir, now)
  return (await import('./postgres/move/database.ts')).openDatabaseSource(databaseUrl, now)
}

async function createTarget({ dataDir, databaseUrl }: Location, anew: MakeAnew) {
  if (databaseUrl === undefined) return createFolderTarget(dataDir, anew)
  return (await import('./postgres/move/database-target.ts')).createDatabaseTarget(databaseUrl, anew)
}
