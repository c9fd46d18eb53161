import { type Column, type SQL, sql } from 'drizzle-orm'
import { toText } from './exact-text.ts'

/** A list of texts as one parameter: however many there are, the statement stays the same. */
export const texts = (values: string[]): SQL =>
  sql`(select value from json_array_elements_text(${JSON.stringify(values.map(toText))}::text::json))`

/** Whole numbers, each of four bytes, as an array. */
const numberArray = (values: Iterable<number>): SQL => sql`${`{${[...values].join(',')}}`}::text::integer[]`

/** The same as a list. */
export const numbers = (values: Iterable<number>): SQL => sql`(select unnest(${numberArray(values)}))`

/** Whether a column has one of the values. */
const isAmong = (column: Column, values: string[] | number[]): SQL => {
  const type = column.getSQLType()
  return type === 'bigint' || type === 'uuid'
    ? sql`${column} in (select unnest(${`{${values.join(',')}}`}::text::${sql.raw(type)}[]))`
    : sql`${column} in ${hasNumbers(column, values) ? numbers(values) : texts(values)}`
}

const hasNumbers = (column: Column, values: string[] | number[]): values is number[] =>
  column.getSQLType() === 'integer'

/**
 * Rows to select from, which are named `row` and have columns of these names and types. Texts are stored as they are.
 */
function toRows(rows: object[], columns: Record<string, Column>): SQL {
  const types = Object.entries(columns).map(
    ([name, column]) => `${name} ${column.getSQLType().replace(' collate "C"', '')}`,
  )
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as "row" (${sql.raw(types.join(', '))})`
}

/** What the statements that both engines share need of this one, whatever data they are on. */
export const DIALECT = { place: sql`ctid`, isAmong, toRows }
