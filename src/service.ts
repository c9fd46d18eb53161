import { type Concurrency, createConcurrency, FORWARDED_CALLS, MEMORY_CALLS } from './account/concurrency.ts'
import { createDayCounts } from './account/day-counts.ts'
import type { Clock, Means, Random } from './account/means.ts'
import { createSignIns } from './account/sign-ins.ts'
import { createTraffic, type Traffic } from './account/traffic.ts'
import { createUses, writeUses } from './account/uses.ts'
import { createWindows } from './account/windows.ts'
import type { Config } from './config.ts'
import { createGateway, type Gateway } from './gateway/gateway.ts'
import { createUpstreamThread, type UpstreamThread } from './gateway/thread.ts'
import type { Log } from './log.ts'
import { createOutbound } from './outbound.ts'
import { openSqliteStore } from './store/sqlite/store.ts'

/** The opened service: what every act is given, and how to close it. */
export type Service = Means & {
  version: string
  gateway: Gateway
  upstreams: UpstreamThread
  traffic: Traffic
  /** What bounds calls of memory tools, and calls to other servers, that are at work at once. */
  memoryCalls: Concurrency
  forwardedCalls: Concurrency
  close: () => Promise<void>
}

/** Opens the data folder and everything an act needs. Throws a DataError that says what is wrong with the folder. */
export async function openService(given: { config: Config; clock: Clock; random: Random; log: Log; version: string }): Promise<Service> {
  // The thread's file lies beside this one in the executable, too: it is one of its entry points.
  const upstreams = createUpstreamThread(new URL('./upstream-worker.ts', import.meta.url), given.config.outboundAllow, given.log)
  const publicOutbound = createOutbound([])
  const store = await openSqliteStore(given.config.dataDir, given.clock.now)
  const [keyUses, connectionUses] = [createUses(), createUses()]
  const counts = { windows: createWindows(), signIns: createSignIns(), newClients: createDayCounts() }
  const means = { ...given, publicOutbound, ...counts, store, keyUses, connectionUses }
  const gateway = createGateway({ ...means, upstreams })
  const close = async () => {
    await upstreams.close()
    await gateway.close()
    publicOutbound.close()
    await writeUses({ store, keyUses, connectionUses }).catch((error) => given.log('uses were not written', { error: String(error) }))
    await store.close()
  }
  const calls = { memoryCalls: createConcurrency(MEMORY_CALLS), forwardedCalls: createConcurrency(FORWARDED_CALLS) }
  return { ...means, ...calls, gateway, upstreams, traffic: createTraffic(given.clock), close }
}
