import { resolve } from 'node:path'
import type { Clock, Random } from '../clock.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import { openService, type Service } from '../service.ts'
import { hasStore } from '../store/open-store.ts'
import { VERSION } from '../version.ts'
import { loadConfig } from './settings.ts'

/** Everything that a command uses of its process. Results go to `out`, messages to `err`. */
export type Cli = {
  environment: Record<string, string | undefined>
  clock: Clock
  random: Random
  /** Resolves when the text was passed on; a command that prints much must wait for it. */
  out: (text: string) => Promise<void> | void
  err: (text: string) => void
  /** Writes bytes to where `out` does; resolves when they were taken, rejects if the other side is closed. */
  outBytes: (bytes: Uint8Array) => Promise<void>
  /** Id of the process that started this one; another one once that has ended. */
  parentId: () => number
  /** The entry file of the thread that uploads session histories. */
  uploadWorker: URL
  /** Standard input. */
  input: () => AsyncIterable<Uint8Array>
  /** Whether `err` is a terminal. */
  isTerminal: boolean
  /** Whether `out` is a terminal. */
  isOutputTerminal: boolean
  /** Whether a person types the input. */
  isInputTerminal: boolean
  /** Prints a question and reads one line without showing it; absent if there is no terminal. */
  ask?: (question: string) => Promise<string>
  /** Asks a question that is answered by yes or no, no being the answer to anything else; absent where nobody can answer. */
  confirm?: (question: string) => Promise<boolean>
  /** Resolves at the first SIGINT or SIGTERM. Until it is called first, these end the process. */
  interrupted: () => Promise<void>
  /** From now on the process outlives the terminal it was started from. */
  ignoreHangup: () => void
}

/** How a service is opened: whether its data folder may be made, its settings, where they are not those of the process alone, and whether it will be served. */
type Opening = { mayCreate?: boolean; config?: Config; isServing?: boolean }

/** Opens the service on the configured data folder, beside a running server too, runs `act` and closes it. Throws a Refusal if the folder does not exist, unless `mayCreate`. */
export async function withService<T>(cli: Cli, act: (service: Service) => Promise<T>, opening: Opening = {}): Promise<T> {
  const { mayCreate = false, config = await loadConfig(cli), isServing = false } = opening
  if (!mayCreate && !(await hasStore(config))) {
    throw new Refusal(`there is no data in '${resolve(config.dataDir)}'; start with 'memsvc serve', or set SVC_DATA_DIR`)
  }
  const { clock, random } = cli
  const service = await openService({
    config,
    clock,
    random,
    log: createLog(clock.now, cli.err, config.log.level),
    version: VERSION,
    isServing,
  })
  try {
    return await act(service)
  } finally {
    await service.close()
  }
}
