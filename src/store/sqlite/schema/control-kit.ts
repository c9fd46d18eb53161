import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { wholeRow } from './whole-row.ts'

/**
 * What the tables of control data are made of. PostgreSQL has a kit of its own builders, which are used alike and have
 * the types of these.
 */
export const SQLITE_KIT = {
  table: sqliteTable,
  index,
  uniqueIndex,
  primaryKey,
  text: () => text(),
  /** A number of at most 32 bits. */
  integer: () => integer(),
  /** Any safe integer, such as milliseconds since 1970. */
  long: () => integer(),
  flag: () => integer({ mode: 'boolean' }),
  json: <Value>() => text({ mode: 'json' }).$type<Value>(),
  /** A primary key that the engine assigns, and never twice. */
  serial: () => integer().primaryKey({ autoIncrement: true }),
  /** When each file of a project was made. From then on a missing file is damage. */
  madeFiles: () => ({ madeAt: integer(), historyMadeAt: integer() }),
  /** An index by which damage is found here, and rows in order of `first`. */
  wholeRow: (name: string, columns: Record<string, AnySQLiteColumn>, ...first: AnySQLiteColumn[]) => [
    wholeRow(name, columns, ...first),
  ],
}

export type Kit = typeof SQLITE_KIT
