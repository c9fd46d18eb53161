import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../outbound.ts'
import type { Store } from '../store/store.ts'
import type { DayCounts } from './day-counts.ts'
import type { SignIns } from './sign-ins.ts'
import type { Uses } from './uses.ts'
import type { Windows } from './windows.ts'

/** Time as the service sees it; a test holds its own. */
export type Clock = {
  /** Wall clock, milliseconds since 1970; may jump. */
  now: () => number
  /** Monotonic milliseconds from an arbitrary start; never goes back. */
  ticks: () => number
}

/** Chance as the service sees it; a test may hold its own. */
export type Random = {
  /** A new UUID, sortable by `at` (milliseconds since 1970). */
  uuid: (at: number) => string
  /** `length` bytes from a cryptographic source. */
  bytes: (length: number) => Uint8Array
}

/** What an act is given beside its caller and arguments. */
export type Means = {
  store: Store
  config: Config
  clock: Clock
  random: Random
  log: Log
  windows: Windows
  keyUses: Uses
  connectionUses: Uses
  signIns: SignIns
  /** Applications that each address made known today. */
  newClients: DayCounts
  /** The door to addresses that anybody may name: what the operator allows for integrations does not hold here. */
  publicOutbound: Outbound
}
