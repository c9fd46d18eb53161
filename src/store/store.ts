import type { DamagedProject, StorageRefusal } from '../errors.ts'
import type { Control } from './control.ts'
import type { HistoryStore } from './history-verbs.ts'
import type { ProjectStore } from './project.ts'
import type { StoredRecord } from './record.ts'
import type { Windows } from './windows.ts'

/**
 * `freeBytes`: free space on the disk of the data files. `damaged`: ids of projects with a file that is known to be
 * damaged or missing. `databaseMs`: response time of the database. `lastCommitAt` is undefined before the first commit.
 */
export type StoreHealth = {
  freeBytes?: number
  damaged?: string[]
  databaseMs?: number
  lastCommitAt: number | undefined
}

/**
 * Events of the store for the operator: each write that the storage refused, each committed transaction with its number
 * of acts, and each project that is found to be damaged.
 */
export type StoreEvents = {
  refused: (refusal: StorageRefusal) => void
  committed: (acts: number, milliseconds: number) => void
  damaged: (damage: DamagedProject) => void
}

/**
 * Options for opening a store. A process that is not `isServing` serves nobody while it writes, so its writes may take
 * longer. `checkpointWorker` is the entry file of the thread that checkpoints the WAL of closed files; without it, the
 * calls do so themselves.
 */
export type StoreOptions = { events?: StoreEvents; isServing?: boolean | undefined; checkpointWorker?: URL }

/** What of a project an export reads in addition to its records. */
export type SalvageReads = Pick<ProjectStore, 'findWorkspacesById' | 'findSourceStates'>

/**
 * What cannot be read of a damaged project: the ids of records (`number 5` where the id is lost, too), how many more
 * records there were that nothing is left of, and what else is missing in those that can be read (`names of
 * workspaces`).
 */
export type Lost = { ids: string[]; further: number; parts: string[] }

/** Records of a damaged project that can be read; the last page also says what cannot. */
export type Salvaged = { records: StoredRecord[]; names: SalvageReads; lost?: Lost }

/** Bytes of all files: those of no project, and those of projects. */
export type StoreSizes = { control: number; projects: number }

/**
 * The storage of all data. A folder beside this file implements it for each engine; the store has verbs and no rules.
 *
 * Every verb of every engine guarantees:
 * - It returns a promise. A read outside a write sees the last commit of any process and does not wait for writes.
 * - A write runs its act with `tx`, whose reads see what the act changed. Acts that change the same data are
 * serializable, whichever process they come from; each is all or nothing, and durable when its promise resolves.
 * - The engine may roll an act back and run it again, and may run several acts in one transaction. So an act changes
 * nothing except through `tx`, decides by what it reads through `tx`, and awaits nothing but the verbs of `tx`.
 * - It rejects with a StorageRefusal if the disk is full or rejects writes, with a DamagedProject if the data of the
 * project is damaged or missing, with a Refusal if another process holds the data for more than 10 seconds, and with a
 * DataError if the data cannot be opened by this version.
 */
export type Store = {
  control: Control
  windows: Windows
  /** Whether the role of the service owns the tables of a database, and could lift the policies between projects. */
  ownsTables?: boolean
  /** The records of a project. Opened by its first verb, which rejects with a Refusal if there is no such project. */
  project: (id: string) => ProjectStore
  /** Whether a project has session histories; otherwise there is nothing to read. */
  hasHistory: (id: string) => Promise<boolean>
  /**
   * The session histories of a project. Their file or rows are created by the first verb, which rejects with a Refusal
   * if there is no such project.
   */
  history: (id: string) => HistoryStore
  /**
   * Reads all that can be read of the records of a damaged project that are not forgotten, in order of number, after a
   * number. Missing where damage is for others to mend. Rejects with a DamagedProject if nothing can be read. For a
   * process that serves nobody: it may take seconds.
   */
  salvage?: (projectId: string, afterSeq: number) => AsyncGenerator<Salvaged>
  /** Erases the data of a project that nobody uses any more; a second call does nothing. */
  eraseProject: (id: string) => Promise<void>
  /** Resolves if data can be read and written, except for damaged projects; otherwise rejects. */
  check: () => Promise<StoreHealth>
  /** Time is linear in the number of projects, and yields. */
  measure: () => Promise<StoreSizes>
  /** Number of open project files, by what they contain. */
  openFiles: () => { records: number; histories: number }
  /**
   * Migrates projects of older versions, and returns how many. Meant to be called before the service listens: otherwise
   * the first verb of such a project migrates it, which blocks everybody for some seconds per million records. A
   * project that cannot be migrated is left to its verbs, which report why.
   */
  upgrade: () => Promise<number>
  /**
   * Background maintenance, such as merging index segments, while other verbs are served. To be called every few
   * minutes; without it, search slows down.
   */
  tidy: () => Promise<void>
  /**
   * Runs background work with this name unless an instance on the same data already does; returns whether it ran. Once
   * `isAlone()` is false, another instance may have begun, and the work must end soon; it must be correct even beside
   * another one.
   */
  runAlone: (work: string, act: (isAlone: () => boolean) => Promise<void>) => Promise<boolean>
  /**
   * Runs an act whose reads of projects end, with a Refusal, once the signal is aborted: what nobody waits for any more
   * takes no time of the database. Writes take effect all the same. Missing where reads take too little time to be
   * ended.
   */
  untilAborted?: <Result>(signal: AbortSignal, act: () => Promise<Result>) => Promise<Result>
  /** Runs an act in which another thread of this process reads all of the data, as a backup does. */
  besideReader: <Result>(act: () => Promise<Result>) => Promise<Result>
  /** Resolves when writes in progress have ended. No verb may be called afterwards. */
  close: () => Promise<void>
}
