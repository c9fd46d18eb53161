import type { SyncReport } from '../agent/histories/sync/report.ts'
import { readStatus, type Status } from '../agent/status.ts'
import { DAY_MS } from '../clock.ts'
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
