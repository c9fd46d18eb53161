import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { createLineReads, createLineWrites } from './lines.ts'
import { createOwnerReads, createOwnerWrites } from './owners.ts'
import { createPassageReads, createPassageWrites } from './passages.ts'
import { createSourceReads, createSourceWrites } from './sources.ts'
import { createSuggestionReads, createSuggestionWrites } from './suggestions.ts'
import type { HistoryEngine, HistoryWriteEngine } from './tables.ts'

export const createHistoryReads = (engine: HistoryEngine): HistoryReads => ({
  ...createSourceReads(engine),
  ...createLineReads(engine),
  ...createOwnerReads(engine),
  ...createPassageReads(engine),
  ...createSuggestionReads(engine),
})

/** `nextBlock` gives the number of a new block, if the database does not assign it: one that no block ever had. */
export function createHistoryWrites(
  engine: HistoryWriteEngine,
  nextBlock: () => { id?: number },
): HistoryReads & HistoryWrites {
  const { countBytes, setAgreed } = createOwnerWrites(engine)
  return {
    ...createHistoryReads(engine),
    ...createSourceWrites(engine, countBytes),
    ...createLineWrites(engine, countBytes, nextBlock),
    ...createPassageWrites(engine),
    ...createSuggestionWrites(engine),
    setAgreed,
  }
}
