import { toSnakeCase } from 'drizzle-orm/casing'
import type { Columns } from '../shared/project/sql.ts'

/** A row as the driver returns it: booleans as 0 and 1. */
export type Row<Fields> = { [Name in keyof Fields]: Fields[Name] extends boolean ? number : Fields[Name] }

/** The columns of an insert with a parameter for each: `(id, workspace_id) values (?, ?)`. */
export function toInsertList(columns: Columns): string {
  const names = Object.keys(columns)
  return `(${names.map(toSnakeCase).join(', ')}) values (${names.map(() => '?').join(', ')})`
}

/**
 * Returns a function that converts rows of a raw statement to what Drizzle would return for the same columns. Raw
 * statements are used where binding and decoding by Drizzle takes ten times as long as running the statement.
 */
export function createDecoder<Fields extends object>(columns: Columns): (row: Row<Fields>) => Fields {
  const decoded = Object.entries(columns).filter(([, { dataType }]) => dataType !== 'string' && dataType !== 'number')
  return (row) => {
    const values: Record<string, unknown> = { ...row }
    for (const [name, column] of decoded)
      if (values[name] !== null) values[name] = column.mapFromDriverValue(values[name])
    return values as Fields
  }
}
