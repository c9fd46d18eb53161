import type { Environment } from '../agent/config.ts'

/** The command that starts this program: the path of the executable or, from source, of Bun and the entry file. */
export function ownProgram(): string[] {
  const isCompiled = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main)
  return isCompiled ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main]
}

/** The variables of this process, and the system it runs on. */
type Process = { environment: Environment; platform: NodeJS.Platform }

/**
 * Replaces this process (same id, same command line) by one with these variables of the environment, from which the
 * engine reads its options, only at the start. Values that are set already are kept; if all are, nothing is done, nor
 * where a process cannot be replaced, as on Windows.
 */
export function restartWith(
  options: Readonly<Record<string, string>>,
  args: string[],
  { environment, platform }: Process,
): void {
  const isSet = Object.keys(options).every((name) => name in environment)
  if (isSet || platform === 'win32') return
  const [program = process.execPath, ...rest] = ownProgram()
  try {
    process.execve?.(program, [program, ...rest, ...args], { ...options, ...environment })
  } catch {
    // A process that takes more memory is better than none.
  }
}

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
