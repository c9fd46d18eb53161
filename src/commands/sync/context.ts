import { listKeys } from '../../agent/clients/registration.ts'
import { type Environment, readStateDir } from '../../agent/config.ts'
import { type SyncDatabase, withSyncDatabase } from '../../agent/histories/sync/database.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import { keepTarget, nameOf, type Target } from '../../agent/histories/sync/target.ts'
import { openUploader } from '../../agent/histories/sync/worker/start-uploads.ts'
import { createServiceClient, type KeyInfo } from '../../agent/service-client.ts'
import { Refusal, ServiceError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { machineOf } from '../machine.ts'

/** The options that say whose key a command uses, and that it does not ask. */
export const CLIENT = {
  '--client <client>': "if SVC_API_KEY is not set: the client whose key to use, by its name in 'memsvc client list'",
}
export const YES = { '-y, --yes': 'do not ask' }

const TIMEOUT_MS = 10_000
/** How long a command waits for other processes that write. */
const BUSY_MS = 5_000

/** The target of keys of this machine, as reported by the service, and the clients whose keys they are. */
export type SyncTarget = { environment: Environment; info: KeyInfo; target: Target; clients: string[] }

/**
 * The one target of this machine's keys, or of the named client's. @throws Refusal if they have several; ServiceError
 * where the service does not accept a key or cannot be asked.
 */
export async function askTarget(cli: Cli, options: { client?: string | undefined }): Promise<SyncTarget> {
  const [first, ...others] = await askTargets(cli, options)
  if (others.length === 0) return first
  const named = [first, ...others].flatMap(({ clients }) => clients).join(', ')
  throw new Refusal(
    `the keys of assistants here lead to different projects or holders; name one with --client: ${named}`,
  )
}

/** All targets of this machine's keys, each once. @throws ServiceError as `askTarget` does. */
export async function askTargets(
  cli: Cli,
  { client }: { client?: string | undefined },
): Promise<[SyncTarget, ...SyncTarget[]]> {
  const machine = machineOf(cli)
  const [first = { environment: machine.environment, clients: [] }, ...others] = await listKeys(machine, client)
  if (others.length === 0) return [await askKey(first)]
  const targets: [SyncTarget, ...SyncTarget[]] = [await askKeyOfSeveral(first)]
  for (const key of others) {
    const asked = await askKeyOfSeveral(key)
    const same = targets.find(({ target }) => nameOf(target) === nameOf(asked.target))
    if (same === undefined) targets.push(asked)
    else same.clients.push(...asked.clients)
  }
  return targets
}

type FoundKey = Pick<SyncTarget, 'environment' | 'clients'>

/** Names the key that fails. @throws ServiceError as `askTarget` does. */
async function askKeyOfSeveral(key: FoundKey): Promise<SyncTarget> {
  try {
    return await askKey(key)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `the key of ${key.clients.join(', ')}: ${error.message}; --client names another`)
  }
}

async function askKey({ environment, clients }: FoundKey): Promise<SyncTarget> {
  const service = createServiceClient(environment)
  const info = await service.readKeyInfo(TIMEOUT_MS)
  return withSyncState(environment, async (database) => ({
    environment,
    info,
    target: await keepTarget(database, service, info),
    clients: [...clients],
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
