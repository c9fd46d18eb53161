import { toServiceError } from '../agent/answer.ts'
import { DEFAULT_ENDPOINT, type Environment, readStateDir } from '../agent/config.ts'
import { openSyncDatabase } from '../agent/histories/sync/database.ts'
import { readSyncReport, type SyncReport } from '../agent/histories/sync/report.ts'
import { createServiceClient, type KeyInfo, openServiceClient } from '../agent/service-client.ts'
import { type Clock, DAY_MS } from '../clock.ts'
import type { ServiceError, ServiceErrorCode } from '../errors.ts'
import { VERSION } from '../version.ts'
import { localCommand } from './command.ts'
import { CLIENT_OPTION, findConnection } from './find-connection.ts'
import { countOf, toFacts, toTableTime } from './terminal/text.ts'

/**
 * Exit status 0 if the key is accepted, 2 if the settings are wrong, 3 if the key is rejected, 4 if the service cannot
 * be used.
 */
export const statusCommand = localCommand(
  'status',
  'check the connection to the service: with SVC_API_KEY or SVC_API_KEY_FILE, otherwise with the key of a client',
  {
    options: CLIENT_OPTION,
    act: async (cli, options) => readStatus(await findConnection(cli, options), cli.clock),
    toText: ({ status }, { clock }) => toText(status, clock.now()),
    toJson: ({ status }) => status,
    refusal: ({ error }) => error,
  },
)

/**
 * The state of this machine's connection to the service. Without `info`, `error` tells why nothing is known of the
 * key's project.
 */
type Status = {
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

function toText(status: Status, now: number): string {
  const rows = [
    ['Endpoint', toReached(status)],
    ['Key', toKey(status)],
    ...toInfoRows(status, now),
    ['Histories', toHistories(status.histories)],
  ]
  return toFacts(rows, 14)
}

function toReached({ endpoint, reachable, latency_ms }: Status): string {
  if (reachable === null) return `${endpoint} · not asked`
  if (latency_ms === null) return `${endpoint} · ${reachable ? 'answers' : 'gives no usable answer'}`
  return `${endpoint} · answers in ${latency_ms} ms`
}

function toKey({ key, info }: Status): string {
  if (info === null) return key === 'unknown' ? 'not checked' : key
  const expiry = info.key_expires_at === null ? 'never expires' : `expires ${info.key_expires_at.slice(0, 10)}`
  return `svc_${info.key}… accepted · ${info.key_label} · ${expiry}`
}

function toInfoRows({ info, agent_version }: Status, now: number): string[][] {
  if (info === null) return [['Versions', `agent ${agent_version}`]]
  const differs = info.service_version === agent_version ? '' : ' · they differ: update the older one'
  return [
    ['Project', `${info.project} · account ${info.account}`],
    ['Tools', `${info.tools}, and memsvc_sync_status of the agent`],
    ['Subscription', toSubscription(info.subscription, info.subscription_until, now)],
    ['Versions', `agent ${agent_version} · service ${info.service_version}${differs}`],
  ]
}

function toHistories({ state, reason, enabled, totals, last_success_at: lastAt }: SyncReport): string {
  if (state === 'error' && !enabled) return 'not uploaded, since the state folder cannot be used'
  if (!enabled) return 'not uploaded'
  const why = reason === null ? '' : ` (${reason.replaceAll('_', ' ')})`
  const { known, synced, pending, failed, excluded } = totals.sessions
  const counts = `${synced} of ${known - excluded} sessions uploaded · ${pending} waiting${failed === 0 ? '' : ` · ${failed} failed`}`
  return `${state.replaceAll('_', ' ')}${why} · ${counts}${lastAt === null ? '' : ` · last upload ${toTableTime(lastAt)} UTC`}`
}

function toSubscription(state: string, until: string | null, now: number): string {
  if (until === null) return state
  const days = Math.ceil((Date.parse(until) - now) / DAY_MS)
  return `${state} · until ${until.slice(0, 10)}${days > 0 ? ` (${countOf(days, 'day')})` : ''}`
}
