import type { IndexEntry } from './record.ts'

/** What a fault is mended by: an index is made anew from the records, anything else comes from a backup. */
export type Remedy = 'reindex' | 'restore'

export type Fault = { text: string; remedy: Remedy }

/** A part of the data that is looked at by itself: in the embedded engine a file. */
export type CheckedPart = {
  /** Relative to the data folder. */
  name: string
  /** What it holds: accounts, keys and what is of no project; a project's records or its session histories; or nothing that is known. */
  holds: 'control' | 'records' | 'histories' | 'unknown'
  projectId?: string
  /** Records that are not forgotten, where it is a project's and can be read. */
  records?: number
  /** Whether the index is being made anew, so that it was not compared with the records. */
  isIndexing?: boolean
  /** None where all is well. */
  faults: Fault[]
}

/** What to check: with `toEntry` the index of each project is compared with its records; of one project alone. */
export type CheckRequest = { toEntry?: ToEntry; projectId?: string }

/** What the index stores of a text, as the present analyzer makes it. */
export type ToEntry = (content: string) => IndexEntry
