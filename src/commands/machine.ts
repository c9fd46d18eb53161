import { homedir } from 'node:os'
import type { Machine } from '../agent/clients/machine.ts'
import type { Cli } from './cli.ts'

/** The machine as described by the environment of the process. */
export function machineOf({ environment }: Cli): Machine {
  return { environment, home: environment.HOME || environment.USERPROFILE || homedir(), platform: process.platform }
}
