import type { IndexChanges } from './index-changes.ts'
import type { Scope } from './scope.ts'
import type { ProjectState } from './state.ts'

/** What a write works with: its project, whose row it has locked, and what it will write to the index. */
export type WriteScope = Scope & { state: () => ProjectState; changes: IndexChanges }
