import { ownProgram } from '../agent/clients/program.ts'
import type { Environment } from '../agent/config.ts'

/** The variables of this process, and the system it runs on. */
export type Process = { environment: Environment; platform: NodeJS.Platform }

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
