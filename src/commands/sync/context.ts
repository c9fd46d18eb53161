import { findKeyEnvironment } from '../../agent/clients/environment.ts'
import { readStateDir } from '../../agent/config.ts'
import { openSyncDatabase } from '../../agent/histories/sync/database.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import { keepTarget, type Target } from '../../agent/histories/sync/target.ts'
import { openUploader } from '../../agent/histories/sync/worker/start-uploads.ts'
import { createServiceClient, type KeyInfo } from '../../agent/service-client.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

const TIMEOUT_MS = 10_000
/** How long a command waits for other processes that write. */
export const BUSY_MS = 5_000

/** The target of a key of this machine, as reported by the service. */
export type SyncTarget = { environment: Cli['environment']; info: KeyInfo; target: Target }

/** @throws Refusal if it is not clear which key is meant; ServiceError where the service does not accept it or cannot be asked. */
export async function askTarget(cli: Cli, { client }: { client?: string }): Promise<SyncTarget> {
  const environment = await findKeyEnvironment(machineOf(cli), client)
  const service = createServiceClient(environment)
  const info = await service.readKeyInfo(TIMEOUT_MS)
  const database = openSyncDatabase(readStateDir(environment), BUSY_MS)
  try {
    return { environment, info, target: await keepTarget(database, service, info) }
  } finally {
    database.close()
  }
}

/** Runs `act` with the resources of an upload, registered like a process of an agent. */
export async function withUploader<Value>(
  cli: Cli,
  { environment, target }: SyncTarget,
  act: (uploader: Uploader) => Promise<Value>,
): Promise<Value> {
  const machine = { environment, home: machineOf(cli).home }
  const holder = { holder: cli.random.uuid(cli.clock.now()), pid: process.pid }
  const uploader = openUploader({ machine, target, holder }, new AbortController().signal)
  try {
    return await act(uploader)
  } finally {
    uploader.database.close()
  }
}
