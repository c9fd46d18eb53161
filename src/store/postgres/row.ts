import type { Column } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { Row } from './pipeline.ts'

type Columns = Record<string, Column>
type Fields<Of extends Columns> = {
  [Field in keyof Of]: Of[Field]['_']['notNull'] extends true ? Of[Field]['_']['data'] : Of[Field]['_']['data'] | null
}

/** The fields of a row that the client returned as it is. */
export function toFields<Of extends Columns>(columns: Of, row: Row): Fields<Of> {
  const toField = ([field, column]: [string, Column]) => {
    const value = row[toSnakeCase(field)]
    return [field, value === null ? null : column.mapFromDriverValue(value)]
  }
  return Object.fromEntries(Object.entries(columns).map(toField)) as Fields<Of>
}
