import { type Column, type SQL, sql } from 'drizzle-orm'
import { toText } from './exact-text.ts'

/** A list of texts as one parameter: however many there are, the statement stays the same. */
export const texts = (values: string[]): SQL =>
  sql`(select value from json_array_elements_text(${JSON.stringify(values.map(toText))}::text::json))`

/** Whole numbers, each of four bytes, as an array. */
export const numberArray = (values: Iterable<number>): SQL => sql`${`{${[...values].join(',')}}`}::text::integer[]`

/** The same as a list. */
export const numbers = (values: Iterable<number>): SQL => sql`(select unnest(${numberArray(values)}))`

/** Whether the column has one of these texts. */
export const isAmong = (column: Column, values: string[]): SQL => sql`${column} in ${texts(values)}`
