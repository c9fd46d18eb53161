import type { ToEntry } from '../check.ts'
import type { Entity } from '../control.ts'
import { createControlTables } from '../shared/schema/control.ts'
import { SQLITE_KIT } from '../sqlite/schema/kit.ts'

/** A row as engines exchange it: numbers, texts, booleans, nulls, bytes and JSON values by the names of its fields. */
export type Row = Record<string, unknown>

/** A part of the data. `projectId` is empty for data outside of projects. */
export type Part = { kind: PartKind; projectId: string }

/** Counters of a part in addition to its rows: usage against the plan, and the latest assigned numbers. */
export type PartState = Record<string, number>

/** Where data is read from. Nothing else uses it meanwhile. */
export type MoveSource = {
  /** Every part; data outside of projects comes last, because without it nothing else is served. */
  listParts: () => Promise<Part[]>
  count: (part: Part, table: MovedTable) => Promise<number>
  /** Pages of rows in a stable order, without the first `skip`. */
  read: (part: Part, table: MovedTable, skip?: number) => AsyncIterable<Row[]>
  readState: (part: Part) => Promise<PartState>
  /** @throws Refusal if a service uses it, by which it may have changed since it was opened. */
  requireUnused: () => Promise<void>
  close: () => Promise<void>
}

/** Where data is written to. Derived data, such as the index, is built with its rows. */
export type MoveTarget = MoveSource & {
  /**
   * Prepares an empty place, or one where a move from a source with the same fingerprint was interrupted. It cannot be
   * served until `finish`.
   *
   * @throws Refusal if it holds anything else.
   */
  begin: (fingerprint: string) => Promise<void>
  /** Appends a page of rows: all of them, durably, or none. */
  write: (part: Part, table: MovedTable, rows: Row[]) => Promise<void>
  /** Completes a part, after all of its rows. */
  writeState: (part: Part, state: PartState) => Promise<void>
  /** Completes the move, so that a service can be started on it. */
  finish: () => Promise<void>
}

/** What a target needs to build derived data: the index entry of a text, and the time. */
export type MakeAnew = { toEntry: ToEntry; now: number }

/** Every table of the schema of control data, which both engines share. */
const CONTROL = Object.keys(createControlTables(SQLITE_KIT)) as Entity[]

/**
 * The tables that a move transfers between engines, by part and in the order of writing. The names are those of the
 * exchanged rows; each engine maps them to its own tables (`moved-tables.ts`). A test has the tables that are built anew
 * instead, and fails if one is missing.
 */
export const MOVED_TABLES = {
  control: CONTROL,
  records: [
    'workspaces',
    'workspaceAudiences',
    'records',
    'recentStates',
    'importedSources',
    'sources',
    'releases',
    'questions',
  ],
  histories: ['historySources', 'blocks', 'lines', 'owners', 'suggestions'],
} as const

type MovedTables = typeof MOVED_TABLES
/** Kind of a part: data outside of projects, or the records or session histories of one project. */
type PartKind = keyof MovedTables
export type MovedTable = MovedTables[PartKind][number]

/** Rows read or written at once; a page of tables with long rows takes up to some megabytes. */
const PAGE_ROWS: Partial<Record<MovedTable, number>> = { records: 250, releases: 250, blocks: 16, toolLists: 8 }
const USUAL_PAGE_ROWS = 500

export const pageRowsOf = (table: MovedTable): number => PAGE_ROWS[table] ?? USUAL_PAGE_ROWS
