import type { Clock, Random } from '../clock.ts'
import type { Config } from '../config.ts'
import { DamagedProject } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/store.ts'
import type { PasswordHasher } from './auth/password.ts'
import type { Uses } from './keys/uses.ts'
import type { DayCounts } from './limits/day-counts.ts'
import type { EventThrottle } from './limits/event-throttle.ts'
import type { CallErrors } from './usage/call-errors.ts'
import type { CallUses } from './usage/call-uses.ts'

/**
 * What every function of the service needs in addition to its actor and input. There is one for each opened service,
 * which owns all of it.
 */
export type AppContext = {
  store: Store
  config: Config
  clock: Clock
  random: Random
  log: Log
  metrics: Metrics
  passwords: PasswordHasher
  keyUses: Uses
  connectionUses: Uses
  callUses: CallUses
  callErrors: CallErrors
  failedSignIns: EventThrottle
  /** Number of new OAuth applications of each client address today. */
  newClients: DayCounts
  /** Sources of session histories of each project that were uploaded to and are to be indexed. */
  uploaded: Map<string, Set<string>>
  /** HTTP client for URLs that anybody may name. The operator's exceptions for integrations do not apply to it. */
  publicOutbound: Outbound
}

/**
 * Logs that upkeep of a project failed. That a project is damaged was logged when it was found, with what to do about
 * it.
 */
export function logFailure(
  { log }: AppContext,
  event: 'purge failed' | 'reindex failed' | 'suggestions failed',
  project: string,
  error: unknown,
): void {
  if (!(error instanceof DamagedProject)) log(event, { project, error: String(error) })
}
