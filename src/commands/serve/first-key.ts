import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'

/** The file of a data folder that receives the key and the link of the first run. */
export const toFirstKeyPath = (dataDir: string) => join(resolve(dataDir), 'first-key.txt')

/**
 * Hands over the key and the link of the first run: as output on a terminal, or if the operator wants them printed;
 * otherwise in a file of the data folder that only its owner may read, since logs of containers and units are kept and
 * read by others. If that file cannot be written, the log says so; `memsvc key issue` and `memsvc member link` make new
 * ones.
 */
export async function handOverFirstKey(cli: Cli, { config, log }: Service, welcome: string): Promise<void> {
  if (cli.isOutputTerminal || config.printFirstKey) return void (await cli.out(welcome))
  const file = toFirstKeyPath(config.dataDir)
  try {
    // If the data is in a database, the folder may not exist.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await rm(file, { force: true })
    await writeFile(file, welcome, { mode: 0o600, flag: 'wx' })
    await cli.out(
      `memsvc is ready. The first key, and the link into the console, are in ${file}. Delete it when you have them.\nSVC_PRINT_FIRST_KEY=1 prints them instead, at the first start on a new data folder.\n`,
    )
    log('the first key is in a file', { file })
  } catch (error) {
    log('the first key was not written', { file, error: String(error) })
  }
}
