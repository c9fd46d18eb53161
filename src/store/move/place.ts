import type { ToEntry } from '../check.ts'
import type { MovedTable, PartKind } from './tables.ts'

/** A row as engines exchange it: numbers, texts, booleans, nulls, bytes and JSON values by the names of its fields. */
export type Row = Record<string, unknown>

/** A part of the data. `projectId` is empty if it is of no project. */
export type Part = { kind: PartKind; projectId: string }

/** Numbers that a part has beside its rows: what counts against the plan, and the numbers last given. */
export type PartState = Record<string, number>

/** Where data is read from, by a process that is the only one to use it. */
export type MoveSource = {
  /** Every part, the one that is of no project last: without it nothing else is served. */
  listParts: () => Promise<Part[]>
  count: (part: Part, table: MovedTable) => Promise<number>
  /** Pages of rows, always in the same order, after leaving out the first `skip`. */
  read: (part: Part, table: MovedTable, skip?: number) => AsyncIterable<Row[]>
  readState: (part: Part) => Promise<PartState>
  /** @throws Refusal if a service uses it, by which it may have changed since it was opened. */
  requireUnused: () => Promise<void>
  close: () => Promise<void>
}

/** Where data is written to. What is made anew, such as the index of words, is made with the rows it is of. */
export type MoveTarget = MoveSource & {
  /**
   * Readies an empty place, or one where a move from a source with the same fingerprint was cut short. From then on it cannot be served until `finish`.
   *
   * @throws Refusal if it holds anything else.
   */
  begin: (fingerprint: string) => Promise<void>
  /** Adds a page of rows behind those that are there: all of them, durably, or none. */
  write: (part: Part, table: MovedTable, rows: Row[]) => Promise<void>
  /** Ends a part: to be called when all of its rows are there. */
  writeState: (part: Part, state: PartState) => Promise<void>
  /** Makes it what a service can be started on. */
  finish: () => Promise<void>
}

/** What a target needs to make anew: the index entry of a text. */
export type MakeAnew = { toEntry: ToEntry; now: number }
