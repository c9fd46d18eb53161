import type { Clock, Random } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/store.ts'
import type { FailedSignIns } from './auth/failed-sign-ins.ts'
import type { Uses } from './keys/uses.ts'
import type { DayCounts } from './limits/day-counts.ts'
import type { SlidingWindows } from './limits/sliding-windows.ts'

/** What an act is given beside its caller and arguments. */
export type AppContext = {
  store: Store
  config: Config
  clock: Clock
  random: Random
  log: Log
  windows: SlidingWindows
  keyUses: Uses
  connectionUses: Uses
  failedSignIns: FailedSignIns
  /** Applications that each address made known today. */
  newClients: DayCounts
  /** The door to addresses that anybody may name: what the operator allows for integrations does not hold here. */
  publicOutbound: Outbound
}
