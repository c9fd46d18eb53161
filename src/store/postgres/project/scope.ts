import type { SQL, Table } from 'drizzle-orm'
import { isOwn } from '../../shared/engine.ts'
import type { Run } from '../run.ts'
import type { IndexChanges } from './index/index-changes.ts'
import type { RecordRow } from './inserts.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { ProjectState } from './state.ts'

/** The project whose data verbs are about, and how they reach it. */
export type Scope = {
  projectId: number
  run: Run
  /** In a write: sends a statement whose answer nobody needs, together with what follows. */
  later?: (statement: SQL) => Promise<void>
}

/**
 * Whether a row belongs to the project. Every statement states this itself; row-level security is a second line of
 * defence.
 */
export const isOf = (table: Table, { projectId }: Pick<Scope, 'projectId'>): SQL | undefined =>
  isOwn({ own: { projectId } }, table)

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
