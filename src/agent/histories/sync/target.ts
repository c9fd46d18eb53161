import type { ServiceClient } from '../../service-client.ts'
import type { SyncDatabase } from './database.ts'

/** The project of an agent's key, and its service. */
export type Target = { endpoint: string; projectId: string }

/** The name of a target in the database. */
export const nameOf = ({ endpoint, projectId }: Target) => `${endpoint} ${projectId}`

const TIMEOUT_MS = 5_000

/**
 * The project of a client's key: as reported by the service earlier, otherwise as it reports now.
 *
 * @throws ServiceError if the key is malformed, or the service was never asked and cannot be called.
 */
export async function findTarget(client: ServiceClient, database: SyncDatabase): Promise<Target> {
  const identity = await client.identify()
  const known = findKnownTarget(database, identity)
  if (known !== undefined) return known
  const { project_id: projectId } = await client.readKeyInfo(TIMEOUT_MS)
  keepTarget(database, identity, { endpoint: client.baseUrl, projectId })
  return { endpoint: client.baseUrl, projectId }
}

/** The stored target, without a request. `identity` identifies key and service without revealing them. */
export function findKnownTarget(database: SyncDatabase, identity: string): Target | undefined {
  return (
    database.query<Target, [string]>('SELECT endpoint, project_id AS projectId FROM targets WHERE identity = ?').get(identity) ?? undefined
  )
}

export function keepTarget(database: SyncDatabase, identity: string, { endpoint, projectId }: Target): void {
  database.query('INSERT OR REPLACE INTO targets (identity, endpoint, project_id) VALUES (?, ?, ?)').run(identity, endpoint, projectId)
}
