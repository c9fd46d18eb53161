import { findKeyEnvironment } from '../../agent/clients/registration.ts'
import { type Environment, readStateDir } from '../../agent/config.ts'
import { type SyncDatabase, withSyncDatabase } from '../../agent/histories/sync/database.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import { keepTarget, type Target } from '../../agent/histories/sync/target.ts'
import { openUploader } from '../../agent/histories/sync/worker/start-uploads.ts'
import { createServiceClient, type KeyInfo } from '../../agent/service-client.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

const TIMEOUT_MS = 10_000
/** How long a command waits for other processes that write. */
const BUSY_MS = 5_000

/** The target of a key of this machine, as reported by the service. */
export type SyncTarget = { environment: Environment; info: KeyInfo; target: Target }

/**
 * @throws Refusal if it is not clear which key is meant; ServiceError where the service does not accept it or cannot be
 *   asked.
 */
export async function askTarget(cli: Cli, { client }: { client?: string }): Promise<SyncTarget> {
  const environment = await findKeyEnvironment(machineOf(cli), client)
  const service = createServiceClient(environment)
  const info = await service.readKeyInfo(TIMEOUT_MS)
  return withSyncState(environment, async (database) => ({
    environment,
    info,
    target: await keepTarget(database, service, info),
  }))
}

/** Runs `act` with the resources of an upload, registered like a process of an agent. */
export async function withUploader<Value>(
  cli: Cli,
  { environment, target }: SyncTarget,
  act: (uploader: Uploader) => Promise<Value>,
): Promise<Value> {
  const machine = { environment, home: machineOf(cli).home }
  const { signal } = new AbortController()
  return withSyncState(environment, (database) => act(openUploader(database, { machine, target }, signal)))
}

/** Runs `act` with the state of the uploads. @throws Refusal if the state folder cannot be used. */
export function withSyncState<Value>(
  environment: Environment,
  act: (database: SyncDatabase) => Promise<Value> | Value,
): Promise<Value> {
  return withSyncDatabase(readStateDir(environment), BUSY_MS, act)
}
