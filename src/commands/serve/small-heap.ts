import { ownProgram } from '../../agent/clients/program.ts'
import type { Environment } from '../../agent/config.ts'

const SMALL_MEMORY_BYTES = 256 * 2 ** 20

/**
 * The memory size that the JavaScript engine is to assume, and the delay in milliseconds after which freed memory is
 * returned to the system (100 by default). Both are read at start-up, from the environment only.
 */
export const SMALL_HEAP = { BUN_JSC_forceRAMSize: String(SMALL_MEMORY_BYTES), MIMALLOC_PURGE_DELAY: '10' }

/** This process and its machine. */
type Process = { environment: Environment; platform: NodeJS.Platform; memoryBytes: number }

/**
 * Replaces this process (same id, same command line) by one whose engine collects garbage as on a small machine. With
 * much memory, the engine lets garbage grow to several times the live data: the service under attack took 250 to 510
 * MiB, and 230 to 310 this way (bench/stall.ts). Returning freed memory sooner lowered the peak by another 35 MiB, at
 * the same CPU time. It is no limit: live data may be larger. Values that the environment sets already are kept. Does
 * nothing on a small machine or container, and where a process cannot be replaced, as on Windows.
 */
export function restartWithSmallHeap(args: string[], { environment, platform, memoryBytes }: Process): void {
  const isSet = Object.keys(SMALL_HEAP).every((name) => name in environment)
  if (isSet || memoryBytes <= SMALL_MEMORY_BYTES || platform === 'win32') return
  const [program = process.execPath, ...rest] = ownProgram()
  try {
    process.execve?.(program, [program, ...rest, ...args], { ...SMALL_HEAP, ...environment })
  } catch {
    // A service that takes more memory is better than none.
  }
}
