import { bigint, customType } from 'drizzle-orm/pg-core'
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

export const json = <Value>() => jsonText().$type<Value>()

/** Milliseconds since 1970. */
export const time = () => bigint({ mode: 'number' })

/** Bytes, as they are. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
