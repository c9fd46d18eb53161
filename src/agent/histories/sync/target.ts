import type { KeyInfo, ServiceClient } from '../../service-client.ts'
import type { SyncDatabase } from './database.ts'

/**
 * Where an agent's key uploads to: the service, the project, and the holder of the key (a member, or the service key
 * itself), who may read it there.
 */
export type Target = { endpoint: string; projectId: string; holderId: string }

/** The name of a target in the database. */
export const nameOf = ({ endpoint, projectId, holderId }: Target) => `${endpoint} ${projectId} ${holderId}`

const TIMEOUT_MS = 5_000

/**
 * The target of a client's key: as reported by the service earlier, otherwise as it reports now.
 *
 * @throws ServiceError if the key is malformed, or the service was never asked and cannot be called.
 */
export async function findTarget(client: ServiceClient, database: SyncDatabase): Promise<Target> {
  return (
    findKnownTarget(database, await client.identify()) ??
    keepTarget(database, client, await client.readKeyInfo(TIMEOUT_MS))
  )
}

/** The stored target, without a request. `identity` identifies key and service without revealing them. */
export function findKnownTarget(database: SyncDatabase, identity: string): Target | undefined {
  const sql = 'SELECT endpoint, project_id AS projectId, holder_id AS holderId FROM targets WHERE identity = ?'
  return database.query<Target, [string]>(sql).get(identity) ?? undefined
}

/** Stores what the service said of a client's key. Returns its target. */
export async function keepTarget(
  database: SyncDatabase,
  { baseUrl: endpoint, identify }: Pick<ServiceClient, 'baseUrl' | 'identify'>,
  {
    project_id: projectId,
    project,
    holder_id: holderId,
    holder,
  }: Pick<KeyInfo, 'project_id' | 'project' | 'holder_id' | 'holder'>,
): Promise<Target> {
  database
    .query(
      'INSERT OR REPLACE INTO targets (identity, endpoint, project_id, project, holder_id, holder) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(await identify(), endpoint, projectId, project, holderId, holder)
  return { endpoint, projectId, holderId }
}
