import type { MovedTable, Row } from './move/tables.ts'

/**
 * How a move transfers the credentials of integrations, which each place encrypts with a key of its own. Each function
 * takes and returns a row of `integrations`.
 */
export type Credentials = {
  /** Called before the first one is encrypted: creates a key if there is none. */
  prepare: () => Promise<void>
  reencrypt: (row: Row) => Row
  /** Decrypts a row of either place, to compare them. */
  decrypt: { source: (row: Row) => Row; target: (row: Row) => Row }
}

/** Called with what is being done, and the number of rows so far and in total. */
export type OnProgress = (doing: 'reading' | 'moving' | 'comparing', rows: number, of: number) => void

/** Rows that were moved, by table. */
export type Moved = Record<MovedTable, number>
