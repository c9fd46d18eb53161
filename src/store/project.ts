import type { QuestionReads, QuestionWrites } from './question.ts'
import type { NewRecord } from './record.ts'
import type { RecordReads } from './record-verbs.ts'
import type { RecordWrites } from './record-writes.ts'
import type { ReleaseReads, ReleaseWrites } from './release.ts'
import type { SearchReads, SearchWrites } from './search.ts'
import type { StatisticsReads } from './statistics.ts'
import type { WorkspaceReads, WorkspaceWrites } from './workspace.ts'

/** Reads of a project. */
export type ProjectReads = WorkspaceReads & RecordReads & SearchReads & ReleaseReads & QuestionReads & StatisticsReads

/** Reads and changes inside a write. */
export type ProjectWrites = ProjectReads &
  WorkspaceWrites &
  RecordWrites &
  SearchWrites &
  ReleaseWrites &
  QuestionWrites

/** What is known about a record before the write that saves it; its workspace is given by name. */
export type ExpectedSave = Pick<
  NewRecord,
  'audience' | 'authorId' | 'content' | 'factKey' | 'factKeyGiven' | 'sourceId'
> & {
  workspace: string
}

/** The data of one project. Nothing of it can be read through another project. */
export type ProjectStore = ProjectReads & {
  /**
   * A number that changes with every commit to the project, by this process or another one. While two reads of it are
   * equal, answers cached between them are valid.
   */
  version: () => Promise<number>
  /**
   * Runs `act` in a transaction and resolves with its value once that is durable. See `Store` for what an act may rely
   * on. Rejects with what the act throws, after rolling everything back. `saves` are records that the act will probably
   * save: an engine on a server may prefetch for many acts at once. They affect only speed.
   */
  write: <T>(act: (tx: ProjectWrites) => Promise<T>, saves?: ExpectedSave[]) => Promise<T>
  /**
   * Removes what the storage still has of erased records and texts in files of its own, such as their words in the
   * index. Does nothing if nothing was erased since; ends early once `isStopped` returns true, and the next call
   * continues. Where others keep the files, as a database does, they erase it in their time.
   */
  scrub: (isStopped: () => boolean) => Promise<void>
}
