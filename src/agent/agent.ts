import { homedir } from 'node:os'
import { type Environment, readStateDir } from './config.ts'
import { startSyncSupervisor } from './histories/sync/supervisor.ts'
import { createOutput } from './relay/lines.ts'
import { relay } from './relay/relay.ts'
import { createSession } from './relay/session.ts'
import { createListCache } from './relay/tools-list.ts'
import { openServiceClient } from './service-client.ts'

export type AgentOptions = {
  environment: Environment
  /** What the client sends. */
  input: AsyncIterable<Uint8Array>
  /** Writes to the client; resolves when the bytes were written, rejects if the client has closed the pipe. */
  write: (bytes: Uint8Array) => Promise<void>
  /** Writes one line for the user at this machine. */
  report: (text: string) => void
  /** Resolves when the agent is to end. */
  ended: Promise<unknown>
  /** Milliseconds since 1970. */
  now: () => number
  /** The entry file of the worker thread that uploads session histories. */
  uploadWorker: URL
  /** Interval at which the list of tools is read again, and the one used while the service is unavailable. */
  intervalMs?: number
  awayIntervalMs?: number
}

const INTERVAL_MS = 60_000
const AWAY_INTERVAL_MS = 5_000

/**
 * The local agent: relays between a client and the service, also while settings, key or service are not usable.
 * Resolves within two seconds after it is told to end.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const {
    environment,
    input,
    write,
    report,
    ended,
    now,
    uploadWorker,
    intervalMs = INTERVAL_MS,
    awayIntervalMs = AWAY_INTERVAL_MS,
  } = options
  const client = openServiceClient(environment)
  const output = createOutput(write)
  const cache = createListCache(readStateDir(environment), client.identify)
  const machine = { environment, home: environment.HOME || homedir() }
  const sync = startSyncSupervisor({ machine, client, workerUrl: uploadWorker, now })
  const session = createSession({
    client,
    cache,
    output,
    report,
    readSyncReport: sync.report,
    now,
    intervalMs,
    awayIntervalMs,
  })
  await session.checkSettings()
  await relay({ input, output, session, ended })
  await sync.stop()
}
