import type { SQL } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  blob,
  customType,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

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
  /**
   * An index of all columns of a table, those of `first` before the others. SQLite has no page checksums, but
   * `integrity_check` compares each row with its entry in each index, so damage in either is found. For tables with few
   * or small rows. PostgreSQL finds damage itself, and needs only rows in order of `first`.
   */
  wholeRow: (name: string, columns: Record<string, AnySQLiteColumn>, ...first: AnySQLiteColumn[]) => {
    const others = Object.values(columns).filter((column) => !first.includes(column))
    return [index(`${name}_whole`).on(...([...first, ...others] as [AnySQLiteColumn, ...AnySQLiteColumn[]]))]
  },
}

export type Kit = typeof SQLITE_KIT

/** A hash in hexadecimal, stored as its bytes. */
const hash = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (bytes) => Buffer.from(bytes).toString('hex'),
})

/**
 * What the tables of projects' data are made of. Where they hold the data of several projects, a column says whose each
 * row is, and leads all keys and indexes.
 */
export const SQLITE_DATA_KIT = {
  ...SQLITE_KIT,
  /** That column; none in a file of its own. */
  ofProject: () => ({}),
  lead: (_own: object): [] => [],
  /** The primary key, if not declared with its only column by one of the following three. */
  key: (_own: object, ...columns: [AnySQLiteColumn, ...AnySQLiteColumn[]]) =>
    columns.length === 1 ? [] : [primaryKey({ columns })],
  textKey: () => text().primaryKey(),
  integerKey: () => integer().primaryKey(),
  longKey: () => integer().primaryKey(),
  bytes: () => blob({ mode: 'buffer' }),
  hash,
  /** A number that SQLite computes of other columns when it is read, and PostgreSQL when the row is written. */
  computed: (value: SQL) => integer().generatedAlwaysAs(value, { mode: 'virtual' }),
  /** Columns that an index has so that rows need not be read: in PostgreSQL none, which reads rows all the same. */
  covering: (...columns: AnySQLiteColumn[]) => columns,
  /** The number of a row behind other columns of an index, where SQLite has it anyway. */
  number: (_seq: AnySQLiteColumn): AnySQLiteColumn[] => [],
}

export type DataKit = typeof SQLITE_DATA_KIT
