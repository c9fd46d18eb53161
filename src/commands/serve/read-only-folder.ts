import type { Config } from '../../config.ts'
import { isReadOnly } from '../../store/open-store.ts'

const CHECK_PERIOD_MS = 2_000

/** `isWritable` resolves once a data folder that was read-only takes writes; never for one that was not. `end` ends the waiting. */
export type FolderWatch = { isWritable: Promise<'writable'>; end: () => void }

/**
 * To be called before the store is opened. SQLite opens the files of a read-only folder for reading alone, and so they stay: only a store that is opened anew
 * can write again.
 */
export function watchFolder(config: Pick<Config, 'dataDir' | 'databaseUrl'>): FolderWatch {
  const { promise: isWritable, resolve } = Promise.withResolvers<'writable'>()
  if (!isReadOnly(config)) return { isWritable, end: () => {} }
  const timer = setInterval(() => {
    if (!isReadOnly(config)) resolve('writable')
  }, CHECK_PERIOD_MS)
  return { isWritable, end: () => clearInterval(timer) }
}
