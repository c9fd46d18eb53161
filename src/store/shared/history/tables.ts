import type { blocks, lines, owners, sources } from '../../sqlite/schema/history.ts'
import type { Engine } from '../engine.ts'

/** The tables of session histories. */
type HistoryTables = { sources: typeof sources; lines: typeof lines; blocks: typeof blocks; owners: typeof owners }
export type HistoryEngine = Engine<HistoryTables>
