import type { IndexChanges } from './index/index-changes.ts'
import type { RecordRow } from './inserts.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { Scope } from './scope.ts'
import type { ProjectState } from './state.ts'

/**
 * What a write works with: its project, whose row it has locked, what it will write to the index, and what was read
 * ahead. `insert` adds the row of a record.
 */
export type WriteScope = Required<Scope> & {
  insert: (row: RecordRow) => Promise<void>
  state: () => ProjectState
  changes: IndexChanges
  ahead: ReadAhead
}
