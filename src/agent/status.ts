import type { Clock } from '../clock.ts'
import type { ServiceError, ServiceErrorCode } from '../errors.ts'
import { VERSION } from '../version.ts'
import { toServiceError } from './answer.ts'
import { DEFAULT_ENDPOINT, type Environment, readStateDir } from './config.ts'
import { openSyncDatabase } from './histories/sync/database.ts'
import { readSyncReport, type SyncReport } from './histories/sync/report.ts'
import { createServiceClient, type KeyInfo, openServiceClient } from './service-client.ts'

/**
 * The state of this machine's connection to the service. Without `info`, `error` tells why nothing is known of the
 * key's project.
 */
export type Status = {
  endpoint: string
  reachable: boolean | null
  /** Duration of one request, including the connection's set-up. */
  latency_ms: number | null
  key: 'accepted' | 'rejected' | 'missing' | 'malformed' | 'unknown'
  agent_version: string
  info: KeyInfo | null
  error: { code: ServiceErrorCode; message: string } | null
  /** The state of the upload of session histories. */
  histories: SyncReport
}

const TIMEOUT_MS = 10_000
const BUSY_MS = 1_000

const KEY_STATES: Partial<Record<ServiceErrorCode, Status['key']>> = {
  key_missing: 'missing',
  key_malformed: 'malformed',
  key_rejected: 'rejected',
}

/** Makes one request to the service. */
export async function readStatus(
  environment: Environment,
  { ticks, now }: Clock,
): Promise<{ status: Status; error: ServiceError | undefined }> {
  const endpoint = environment.SVC_ENDPOINT || DEFAULT_ENDPOINT
  const base = { endpoint, agent_version: VERSION, histories: await readHistories(environment, now) }
  const startedAt = ticks()
  try {
    const client = createServiceClient(environment)
    const info = await client.readKeyInfo(TIMEOUT_MS)
    const latency_ms = Math.round(10 * (ticks() - startedAt)) / 10
    const reached = { endpoint: client.baseUrl, reachable: true, latency_ms, key: 'accepted', error: null } as const
    return { status: { ...base, ...reached, info }, error: undefined }
  } catch (caught) {
    const error = toServiceError(caught)
    const { code, message } = error
    const failed = { reachable: isReachable(error), key: KEY_STATES[code] ?? 'unknown', error: { code, message } }
    return { status: { ...base, ...failed, latency_ms: null, info: null }, error }
  }
}

async function readHistories(environment: Environment, now: () => number): Promise<SyncReport> {
  const client = openServiceClient(environment)
  const openDatabase = () => openSyncDatabase(readStateDir(environment), BUSY_MS)
  return readSyncReport({ environment, client, openDatabase, halt: undefined, pid: process.pid, now })
}

/** Null if no request was made. */
function isReachable({ code, status }: ServiceError): boolean | null {
  if (code === 'key_missing' || code === 'key_malformed' || code === 'endpoint_invalid') return null
  return status !== undefined && code !== 'unexpected'
}
