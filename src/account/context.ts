import type { Clock, Random } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/store.ts'
import type { PasswordHasher } from './auth/password.ts'
import type { Uses } from './keys/uses.ts'
import type { DayCounts } from './limits/day-counts.ts'
import type { EventThrottle } from './limits/event-throttle.ts'
import type { CallUses } from './usage/call-uses.ts'

/** What every function of the service works with besides its actor and input. One per opened service, which owns all of it. */
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
  failedSignIns: EventThrottle
  /** OAuth applications that each client address made known today. */
  newClients: DayCounts
  /** Requests to URLs that anybody may name. What the operator allows for integrations is not allowed here. */
  publicOutbound: Outbound
}
