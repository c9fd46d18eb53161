import type { IndexEntry, RecordTexts } from './record.ts'

/** How a fault is repaired: an index is rebuilt from the records, anything else is restored from a backup. */
export type Remedy = 'reindex' | 'restore'

export type Fault = { text: string; remedy: Remedy }

/** A part of the data that is checked by itself; in the embedded engine, a file. */
export type CheckedPart = {
  /** Relative to the data folder. */
  name: string
  /** What it contains: data outside of projects; a project's records or session histories; or something unknown. */
  holds: 'control' | 'records' | 'histories' | 'unknown'
  projectId?: string
  /** Number of records that are not forgotten, if it is a project's file that can be read. */
  records?: number
  /** Whether the index is being rebuilt, so that it was not compared with the records. */
  isIndexing?: boolean
  /** Empty if there are no faults. */
  faults: Fault[]
}

/**
 * With `toEntry`, the index of each project is compared with its records. With `projectId`, only that project is
 * checked. `pause` is awaited between pieces of work, and decides how much other work runs meanwhile; a Refusal that it
 * rejects with ends the check.
 */
export type CheckRequest = { toEntry?: ToEntry; projectId?: string; pause?: Pause }

export type Pause = () => Promise<void>

/** Makes what the index stores about a text, with the present analyzer. */
export type ToEntry = (texts: RecordTexts) => IndexEntry
