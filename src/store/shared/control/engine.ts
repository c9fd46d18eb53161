import type { Column, SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { ControlTables } from '../schema/control.ts'

/**
 * What the statements of control data need of an engine. Queries are awaited, never run by `all` or `get`. The types are those of SQLite's builders; those of
 * PostgreSQL are used alike.
 */
export type Engine = {
  db: Pick<BaseSQLiteDatabase<'async', unknown>, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$count'>
  tables: ControlTables
  /** What a row's place in its table is called. */
  place: SQL
  /** Whether a column has one of the values: one statement for any number of them. */
  isAmong: (column: Column, values: string[]) => SQL
}

/** An engine inside a write. `changed` is called for each change that the control version counts. */
export type WriteEngine = Engine & { changed: () => void }

/** A value that is made at its first use. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
