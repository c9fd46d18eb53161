import { homedir } from 'node:os'
import type { Machine } from '../agent/clients/client.ts'
import type { Cli } from './cli.ts'

/** The machine, as the command line's environment describes it. */
export function machineOf({ environment }: Cli): Machine {
  return { environment, home: environment.HOME || environment.USERPROFILE || homedir(), platform: process.platform }
}
