import { type Column, sql } from 'drizzle-orm'

/** Whether a column has one of the values: one statement for any number of them. */
export const isAmong = (column: Column, values: string[]) => sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
