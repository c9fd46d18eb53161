import type * as schema from '../../sqlite/schema/history.ts'
import type { Engine } from '../engine.ts'

/** The tables of session histories. */
type HistoryTables = Pick<typeof schema, 'sources' | 'lines' | 'blocks' | 'owners' | 'suggestions' | 'suggestionOwners'>
export type HistoryEngine = Engine<HistoryTables>
