import type { StorageRefusal } from '../errors.ts'
import type { Control } from './control.ts'
import type { HistoryStore } from './history.ts'
import type { ProjectStore } from './project.ts'
import type { Windows } from './windows.ts'

/** `freeBytes` of the disk are left for files of data; of data in a database `databaseMs` says how long that took to answer. `lastCommitAt` is undefined before the first. */
export type StoreHealth = { freeBytes?: number; databaseMs?: number; lastCommitAt: number | undefined }

/** What of the store's work an operator is told: each write that the storage refused, and each transaction that was committed, with how many acts. */
export type StoreEvents = { refused: (refusal: StorageRefusal) => void; committed: (acts: number, milliseconds: number) => void }

/**
 * How a store is opened. `events` is told of its work. A process that is not `isServing` answers nobody while it writes, and so may be held longer. `checkpointWorker` is the
 * entry file of the thread that writes the logs of closed files into them; without it, the calls do that.
 */
export type StoreOptions = { events?: StoreEvents; isServing?: boolean | undefined; checkpointWorker?: URL }

/** Bytes of all files: what belongs to all projects, and what to one each. */
export type StoreSizes = { control: number; projects: number }

/**
 * The one place that keeps data. A folder beside this file implements it for one engine; the store has verbs and no rules.
 *
 * What holds of every verb, whatever the engine:
 * - It returns a promise. A read outside a write sees the last commit by any process and does not wait for writes.
 * - A write runs its act with `tx`, whose reads see what the act changed. Acts that change the same data take effect one after the other
 *   (serializable), whichever process they come from; each is all or nothing and durable when its promise resolves.
 * - The engine may run an act again after undoing it, and may run several acts in one transaction. So an act changes nothing but through
 *   `tx`, decides by what it reads through `tx`, and awaits nothing but the verbs of `tx`.
 * - It rejects with a StorageRefusal where the disk is full or takes no writes, with a Refusal where another process holds the data for more than 10 seconds, and with
 *   a DataError where the data is damaged or not to be opened by this version.
 */
export type Store = {
  control: Control
  windows: Windows
  /** The only way to a project's records. Opened by its first verb, which rejects with a Refusal where there is no such project. */
  project: (id: string) => ProjectStore
  /** Whether a project has session histories. Only then is there anything to read of them. */
  hasHistory: (id: string) => Promise<boolean>
  /** The only way to a project's session histories. Their room is made by the first verb, which rejects with a Refusal where there is no such project. */
  history: (id: string) => HistoryStore
  /** Erases the data of a project whose verbs nobody calls any more; a second time does nothing. */
  eraseProject: (id: string) => Promise<void>
  /** Resolves when data was read and written. Rejects where it cannot be. */
  check: () => Promise<StoreHealth>
  /** Time is linear in the number of projects, and yields. */
  measure: () => Promise<StoreSizes>
  /** How many files of projects are open, by what they hold. */
  openFiles: () => { records: number; histories: number }
  /**
   * Brings projects of older versions up to date, and returns how many. Worth calling before anybody is served: the first verb of such a project does so too, which
   * takes some seconds for each million records, in which nobody else is served. A project that cannot be is left to its verbs, which say why.
   */
  upgrade: () => Promise<number>
  /** Puts in order what writes have left behind, while other verbs are served. Worth calling every few minutes; without it, search slows down. */
  tidy: () => Promise<void>
  /**
   * Runs background work of this name unless an instance on the same data does so already; returns whether it was run. Where `isAlone` is false, another instance may have
   * begun, and the work must end soon: what it does must be right beside another one too.
   */
  runAlone: (work: string, act: (isAlone: () => boolean) => Promise<void>) => Promise<boolean>
  /** Resolves when writes under way have ended. No verb may be called afterwards. */
  close: () => Promise<void>
}
