import type { blocks, lines, owners, passages, sources, suggestions } from '../../sqlite/schema/history.ts'
import type { Engine } from '../engine.ts'

/** The tables of session histories. */
type HistoryTables = {
  sources: typeof sources
  lines: typeof lines
  blocks: typeof blocks
  owners: typeof owners
  passages: typeof passages
  suggestions: typeof suggestions
}

/** Where an engine keeps which passage has which words. */
export type WordIndex = {
  /** What a row of a passage has in addition. */
  columns: (words: number[]) => object
  add: (id: number, words: number[]) => void
  remove: (ids: number[]) => void
  /** As `findPassages`. */
  find: (query: { ownerId: string; words: number[]; limit: number }) => Promise<number[]>
}

export type HistoryEngine = Engine<HistoryTables> & { words: WordIndex }

/** An engine inside a write. `erased` is called for each change that erases: files may still have what it erased. */
export type HistoryWriteEngine = HistoryEngine & { erased: () => void }
