import type { SQL } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { DataKit, Kit } from '../../sqlite/schema/kit.ts'
import { fromText, toText } from '../exact-text.ts'

/**
 * A text of any characters, compared and sorted by code points whatever the locale of the database is. Types of its
 * values are narrowed by `$type`, as with all columns of Drizzle.
 */
export const exactText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate "C"',
  // The value of a placeholder may be null.
  toDriver: (text) => ((text as string | null) === null ? text : toText(text)),
  fromDriver: fromText,
})

/**
 * A JSON value in a column of text: what Bun's client makes of values of the type `jsonb` depends on how they were
 * sent.
 */
const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => toText(JSON.stringify(value)),
  fromDriver: (text) => JSON.parse(fromText(text)),
})

const json = <Value>() => jsonText().$type<Value>()

/** Milliseconds since 1970. */
export const time = () => bigint({ mode: 'number' })

/** A hash of 16 bytes, in hexadecimal: the type for such a number of bytes reads it with hyphens or without. */
const hash = customType<{ data: string; driverData: string }>({
  dataType: () => 'uuid',
  fromDriver: (uuid) => uuid.replaceAll('-', ''),
})

/** Bytes, as they are. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

const KIT = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  text: exactText,
  integer: () => integer(),
  long: time,
  flag: () => boolean(),
  json,
  serial: () => bigserial({ mode: 'number' }).primaryKey(),
  madeFiles: () => ({}),
  wholeRow: (name: string, _columns: unknown, ...first: AnyPgColumn[]) =>
    first.map((column) => index(`${name}_by_${column.name}`).on(column)),
}

/** What the tables of control data are made of. */
export const POSTGRES_KIT = KIT as unknown as Kit

type Own = { projectId: AnyPgColumn }

/**
 * What the tables of projects' data are made of. Every one leads with `project_id` and has it in every key and index, so
 * that it can be partitioned or distributed by it, and a policy of row-level security shows a connection the rows of one
 * project only. A project's number is in `project_numbers`: its id would take 33 bytes more in each row and each index.
 */
export const POSTGRES_DATA_KIT = {
  ...KIT,
  ofProject: () => ({ projectId: integer().notNull() }),
  lead: ({ projectId }: Own) => [projectId],
  key: ({ projectId }: Own, ...columns: AnyPgColumn[]) => [primaryKey({ columns: [projectId, ...columns] })],
  textKey: () => exactText().notNull(),
  integerKey: () => integer().notNull(),
  longKey: () => bigint({ mode: 'number' }).notNull(),
  /** Given by a row that the write has locked. */
  serial: () => integer().notNull(),
  bytes,
  hash,
  computed: (value: SQL) => time().notNull().generatedAlwaysAs(value),
  covering: () => [],
  number: (seq: AnyPgColumn) => [seq],
} as unknown as DataKit
