import type { Control } from '../control.ts'
import { createControlReads } from './control/reads.ts'
import { createControlVersion } from './control/version.ts'
import { createControlWrites } from './control/writes.ts'
import type { SqliteFile } from './file.ts'
import { cacheRead } from './read-cache.ts'

/** The verbs of the open control file. */
export function toControlStore(file: SqliteFile): Control {
  const reads = createControlReads(file.reader)
  const writes = { ...createControlReads(file.connection), ...createControlWrites(file.connection) }
  const version = createControlVersion(file.reader, file.version)
  return {
    ...reads,
    version,
    findKeyHolder: cacheRead(reads.findKeyHolder, version),
    findAuthor: cacheRead(reads.findAuthor, version),
    findConnectionHolder: cacheRead(reads.findConnectionHolder, version),
    findEnabled: cacheRead(reads.findEnabled, version),
    write: (act) => file.writer.write(() => act(writes)),
  }
}
