import type { NewRecord } from './record.ts'
import type { RecordReads, RecordWrites } from './record-verbs.ts'
import type { ReleaseReads, ReleaseWrites } from './release.ts'
import type { SearchReads, SearchWrites } from './search.ts'
import type { StatisticsReads } from './statistics.ts'
import type { WorkspaceReads, WorkspaceWrites } from './workspace.ts'

/** What can be read of a project. */
export type ProjectReads = WorkspaceReads & RecordReads & SearchReads & ReleaseReads & StatisticsReads

/** What can be read and changed inside a write. */
export type ProjectWrites = ProjectReads & WorkspaceWrites & RecordWrites & SearchWrites & ReleaseWrites

/** What is known of a record before the write that saves it, its workspace by name. */
export type ExpectedSave = Pick<NewRecord, 'content' | 'factKey' | 'factKeyGiven' | 'sourceId'> & { workspace: string }

/** The data of one project. Nothing of it can be read through another project. */
export type ProjectStore = ProjectReads & {
  /** A number that is another one after every commit to the project, by this process or another. While two reads of it are equal, cached answers made between them hold. */
  version: () => Promise<number>
  /**
   * Runs an act in a transaction and resolves with its value once that is durable. See `Store` for what an act may rely on.
   * Rejects with what the act throws, and then nothing of it is kept. `saves` are records that the act is likely to save: an engine that asks a server may read for many acts
   * at once what their saves will ask for. They change nothing but speed.
   */
  write: <T>(act: (tx: ProjectWrites) => Promise<T>, saves?: ExpectedSave[]) => Promise<T>
}
