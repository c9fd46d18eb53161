import type { Row } from './move/place.ts'
import type { MovedTable } from './move/tables.ts'

/** How the credentials of integrations, each encrypted with a key of its place, get from one to the other. Each takes and returns a row of `integrations`. */
export type Credentials = {
  /** Called before the first is encrypted: makes a key where there is none. */
  prepare: () => Promise<void>
  reencrypt: (row: Row) => Row
  /** The row with its credentials as they are, in either place. */
  decrypt: { source: (row: Row) => Row; target: (row: Row) => Row }
}

/** Told what is being done, and of how many rows. */
export type OnProgress = (doing: 'reading' | 'moving' | 'comparing', rows: number, of: number) => void

/** Rows that were moved, by table. */
export type Moved = Record<MovedTable, number>
