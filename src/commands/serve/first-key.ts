import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'

/** The file of a data folder that receives the key and the link of the first run. */
export const toFirstKeyPath = (dataDir: string) => join(resolve(dataDir), 'first-key.txt')

/**
 * Hands over the key and the link of the first run: as output on a terminal, or if the operator wants them printed;
 * otherwise in a file of the data folder that only its owner may read, since logs of containers and units are kept and
 * read by others. If neither can be written, the log says so; `memsvc key issue` and `memsvc member link` make new
 * ones.
 */
export async function handOverFirstKey(cli: Cli, { config, log }: Service, welcome: string): Promise<void> {
  const isPrinted = cli.isOutputTerminal || config.printFirstKey
  const file = toFirstKeyPath(config.dataDir)
  try {
    if (isPrinted) return await cli.out(welcome)
    // If the data is in a database, the folder may not exist.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await rm(file, { force: true })
    await writeFile(file, welcome, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    log('the first key was not written', { ...(!isPrinted && { file }), error: String(error) })
    return
  }
  log('the first key is in a file', { file })
  const text = `memsvc is ready. The first key, and the link into the console, are in ${file}. Delete it when you have them.\nSVC_PRINT_FIRST_KEY=1 prints them instead, at the first start on a new data folder.\n`
  // The log says it too.
  await cli.out(text)?.catch(() => {})
}
