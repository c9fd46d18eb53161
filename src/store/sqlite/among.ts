import { type Column, type SQL, sql } from 'drizzle-orm'

/** A value of JSON as it is stored in a column: bytes are in hexadecimal. */
const toStored = (column: Column, value: SQL): SQL => (column.getSQLType() === 'blob' ? sql`unhex(${value})` : value)

/** Whether a column has one of the values: one statement for any number of them. */
const isAmong = (column: Column, values: string[] | number[]): SQL =>
  sql`${column} in (select ${toStored(column, sql`value`)} from json_each(${JSON.stringify(values)}))`

/** Rows to select from, which are named `row` and have these columns: one parameter, however many rows. */
function toRows(rows: object[], columns: Record<string, Column>): SQL {
  const fields = Object.entries(columns).map(
    ([name, column]) => sql`${toStored(column, sql.raw(`value ->> '${name}'`))} as ${sql.identifier(name)}`,
  )
  return sql`(select ${sql.join(fields, sql`, `)} from json_each(${JSON.stringify(rows)})) as "row"`
}

/** What the statements that both engines share need of this one, whatever data they are on. */
export const DIALECT = { place: sql`rowid`, isAmong, toRows }
