import { type Process, restartWith } from '../restart.ts'

const SMALL_MEMORY_BYTES = 256 * 2 ** 20

/**
 * The memory size that the JavaScript engine is to assume, and the delay in milliseconds after which freed memory is
 * returned to the system (100 by default). Both are read at start-up, from the environment only.
 */
export const SMALL_HEAP = { BUN_JSC_forceRAMSize: String(SMALL_MEMORY_BYTES), MIMALLOC_PURGE_DELAY: '10' }

/**
 * Restarts the service with an engine that collects garbage as on a small machine. With much memory, the engine lets
 * garbage grow to several times the live data: the service under attack took 250 to 510 MiB, and 230 to 310 this way
 * (bench/stall.ts). Returning freed memory sooner lowered the peak by another 35 MiB, at the same CPU time. It is no
 * limit: live data may be larger. Does nothing on a small machine or container.
 */
export function restartWithSmallHeap(args: string[], { memoryBytes, ...own }: Process & { memoryBytes: number }): void {
  if (memoryBytes > SMALL_MEMORY_BYTES) restartWith(SMALL_HEAP, args, own)
}
