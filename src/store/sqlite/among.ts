import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/** Whether a column has one of the values: one statement for any number of them. */
export const isAmong = (column: SQLiteColumn, values: string[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
