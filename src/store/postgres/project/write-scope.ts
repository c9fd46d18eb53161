import type { Run } from '../run.ts'
import type { Foreseen } from './foreseen.ts'
import type { IndexChanges } from './index-changes.ts'
import type { Inserts } from './inserts.ts'
import type { Scope } from './scope.ts'
import type { ProjectState } from './state.ts'

/**
 * What a write works with: its project, whose row it has locked, what it will write to the index, and what was read ahead, which `run` drops and `keep` does not. Without
 * `inserts` rows of records are written at once.
 */
export type WriteScope = Scope & { keep: Run; state: () => ProjectState; changes: IndexChanges; foreseen: Foreseen; inserts?: Inserts }
