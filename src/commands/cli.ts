import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Random } from '../clock.ts'
import { readConfig } from '../config.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import { openService, type Service } from '../service.ts'
import { VERSION } from '../version.ts'

/** The world as a command sees it. `out` carries what was asked for, `err` everything said on the way. */
export type Cli = {
  environment: Record<string, string | undefined>
  clock: Clock
  random: Random
  /** What it returns resolves when the text is taken: whoever says much waits for it. */
  out: (text: string) => Promise<void> | void
  err: (text: string) => void
  /** Standard input. */
  input: () => AsyncIterable<Uint8Array>
  /** Whether a person reads `err` as it comes. */
  isTerminal: boolean
  /** Asks for one line that is not shown; absent where nobody can be asked. */
  ask?: (question: string) => Promise<string>
  /** Resolves when the process is asked to end. */
  interrupted: Promise<void>
}

/** Runs an act on the data folder, also beside a running server, and closes it. Only `mayMake` lets a new folder begin. */
export async function withService<T>(cli: Cli, act: (service: Service) => Promise<T>, { mayMake = false } = {}): Promise<T> {
  const config = readConfig(cli.environment)
  if (!mayMake && !existsSync(join(config.dataDir, 'control.db'))) {
    throw new Refusal(`there is no data in '${config.dataDir}'; start with 'memsvc serve', or set SVC_DATA_DIR`)
  }
  const { clock, random } = cli
  const service = await openService({ config, clock, random, log: createLog(clock.now, cli.err), version: VERSION })
  try {
    return await act(service)
  } finally {
    await service.close()
  }
}
