import type { Source } from '../../record.ts'
import { createImportedSourceWrites, eraseImportedSources } from './imported-sources.ts'
import { createQuestionWrites } from './questions.ts'
import { type Before, createRecordWrites, type RecordEngine } from './record-writes.ts'
import { createReleaseWrites } from './releases.ts'
import { createSourceWrites } from './sources.ts'
import type { ProjectEngine, ProjectSql } from './sql.ts'
import { createWorkspaceWrites } from './workspaces.ts'

/** What the changes of a project need of an engine, all inside a write. */
type WriteEngine<Found extends Before> = RecordEngine<Found> & {
  /** What was read ahead of sources without a hash. */
  ahead: { hasNoHash: (source: Source) => boolean; noteSource: (source: Source) => void }
  /** The number of a new workspace; undefined if the database assigns one. */
  toWorkspaceId: () => number | undefined
  /**
   * Awaited before rows of workspaces change: a transaction may not have written them yet, and what they hold is
   * erased.
   */
  beforeWorkspaces: () => void | Promise<void>
}

/** Changes of a project whose steps are the same on both engines. */
export const createSharedWrites = <Found extends Before>(
  sql: ProjectSql,
  engine: ProjectEngine,
  writes: WriteEngine<Found>,
) => ({
  ...createRecordWrites(sql, engine, writes),
  ...createWorkspaceWrites(engine, writes.toWorkspaceId, writes.beforeWorkspaces),
  ...createSourceWrites(sql, engine.tables, writes.ahead, (of, limit) => eraseImportedSources(engine, of, limit)),
  ...createImportedSourceWrites(engine),
  ...createReleaseWrites(engine, writes.noteErased),
  ...createQuestionWrites(engine, writes.noteErased),
})
