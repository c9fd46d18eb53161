import type { Control } from '../control.ts'
import { createGeneration } from './control/generation.ts'
import { keep } from './control/keep.ts'
import { createControlReads } from './control/reads.ts'
import { createControlWrites } from './control/writes.ts'
import type { SqliteFile } from './file.ts'

/** The verbs of the open control file. */
export function toControlStore(file: SqliteFile): Control {
  const reads = createControlReads(file.reader)
  const writes = { ...createControlReads(file.connection), ...createControlWrites(file.connection) }
  const generation = createGeneration(file.reader, file.version)
  return {
    ...reads,
    generation,
    findKeyHolder: keep(reads.findKeyHolder, generation),
    findAuthor: keep(reads.findAuthor, generation),
    findConnectionHolder: keep(reads.findConnectionHolder, generation),
    findEnabled: keep(reads.findEnabled, generation),
    write: (act) => file.writer.write(() => act(writes)),
  }
}
