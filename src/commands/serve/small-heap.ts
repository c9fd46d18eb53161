import { ownProgram } from '../../agent/clients/program.ts'

const SMALL_MEMORY_BYTES = 256 * 2 ** 20

/** How large a memory the engine is to take the machine's for. It reads this when it starts, from the environment alone. */
export const SMALL_HEAP = { BUN_JSC_forceRAMSize: String(SMALL_MEMORY_BYTES) }

/** What is known of this process and its machine. */
type Process = { environment: Record<string, string | undefined>; platform: NodeJS.Platform; memoryBytes: number }

/**
 * Replaces this process, under the same id, by one of the same command whose engine collects garbage as on a small machine: where there is much memory it lets
 * garbage grow to several times of what is in use, and the service under attack took 250 to 510 MiB; so it takes 230 to 310 (bench/stall.ts). It bounds nothing:
 * what is in use may be larger. Does nothing on a machine or in a container that is small, where the environment has a size already, and where the
 * process cannot be replaced, as on Windows.
 */
export function restartWithSmallHeap(args: string[], { environment, platform, memoryBytes }: Process): void {
  const isSet = Object.keys(SMALL_HEAP).some((name) => name in environment)
  if (isSet || memoryBytes <= SMALL_MEMORY_BYTES || platform === 'win32') return
  const [program = process.execPath, ...rest] = ownProgram()
  try {
    process.execve?.(program, [program, ...rest, ...args], { ...environment, ...SMALL_HEAP })
  } catch {
    // A service that takes more memory is better than none.
  }
}
