import type { HistoryReads, HistoryWrites } from '../../history.ts'
import type { blocks, lines, owners, sources } from '../../sqlite/schema/history.ts'
import type { Engine } from '../engine.ts'
import { createLineReads, createLineWrites } from './lines.ts'
import { createCountBytes, createOwnerReads } from './owners.ts'
import { createSourceReads, createSourceWrites } from './sources.ts'

export type HistoryTables = { sources: typeof sources; lines: typeof lines; blocks: typeof blocks; owners: typeof owners }
export type HistoryEngine = Engine<HistoryTables>

export const createHistoryReads = (engine: HistoryEngine): HistoryReads => ({
  ...createSourceReads(engine),
  ...createLineReads(engine),
  ...createOwnerReads(engine),
})

/** `nextBlock` gives the number of a new block, if the database does not assign it: one that no block ever had. */
export function createHistoryWrites(engine: HistoryEngine, nextBlock: () => { id?: number }): HistoryReads & HistoryWrites {
  const countBytes = createCountBytes(engine)
  return {
    ...createHistoryReads(engine),
    ...createSourceWrites(engine, countBytes),
    ...createLineWrites(engine, countBytes, nextBlock),
  }
}
