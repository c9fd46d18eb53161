import { resolve } from 'node:path'
import type { Environment } from '../agent/config.ts'
import type { Clock, Random } from '../clock.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { createLog } from '../log.ts'
import { openService, type Service } from '../service.ts'
import { hasStore, requireNoRemains } from '../store/open-store.ts'
import { VERSION } from '../version.ts'
import { loadConfig } from './settings.ts'

/** The parts of the process that commands use. Results go to `out`, messages to `err`. */
export type Cli = {
  environment: Environment
  clock: Clock
  random: Random
  /**
   * Writes text; resolves when it was written, also if the reader has closed the pipe. Rejects with a Refusal if it cannot
   * be written, as on a full disk.
   */
  out: (text: string) => Promise<void> | void
  err: (text: string) => void
  /** Writes bytes to the same place as `out`; resolves when they were written, rejects if the reader has closed it. */
  outBytes: (bytes: Uint8Array) => Promise<void>
  /** Id of the parent process; it changes once that has ended. */
  parentId: () => number
  /** The words of the command that starts this program. */
  program: string[]
  /** The entry file of the worker thread that uploads session histories. */
  uploadWorker: URL
  /** Standard input. */
  input: () => ReadableStream<Uint8Array>
  /** Whether `err` is a terminal. */
  isTerminal: boolean
  /** Whether `out` is a terminal. */
  isOutputTerminal: boolean
  /** Whether the input is a terminal. */
  isInputTerminal: boolean
  /** Prints a question and reads one line without showing it; absent if there is no terminal. */
  ask?: (question: string) => Promise<string>
  /** Asks a yes-or-no question; any other answer is no. Absent if there is no terminal. */
  confirm?: (question: string) => Promise<boolean>
  /** Resolves at the first SIGINT or SIGTERM. Before its first call, these signals end the process. */
  interrupted: () => Promise<void>
  /**
   * Keeps the process running when its terminal is closed, and at the signals by which other services open their logs
   * anew.
   */
  ignoreSignals: () => void
}

/** From now on, SIGINT and SIGTERM do not end the process. `stopped` resolves at the first of them. */
export function watchInterrupt({ interrupted }: Pick<Cli, 'interrupted'>) {
  let isStopped = false
  const stopped = interrupted().then(() => {
    isStopped = true
  })
  return { isStopped: () => isStopped, stopped }
}

/**
 * How a service is opened: whether its data folder may be created, its settings if they are not those of the process,
 * and whether it will serve requests.
 */
type Opening = { mayCreate?: boolean; config?: Config; isServing?: boolean }

/**
 * Opens the service on the configured data folder, also while a server runs on it, runs `act` and closes the service.
 * Throws a Refusal if the folder does not exist, unless `mayCreate`, and a DataError if only a part of the data is
 * there.
 */
export async function withService<T>(
  cli: Cli,
  act: (service: Service) => Promise<T>,
  opening: Opening = {},
): Promise<T> {
  const { mayCreate = false, config = await loadConfig(cli), isServing = false } = opening
  if (!mayCreate && !(await hasStore(config))) {
    requireNoRemains(config)
    throw new Refusal(
      `there is no data in '${resolve(config.dataDir)}'; SVC_DATA_DIR names the folder of a service, 'memsvc serve' begins a new one`,
    )
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
