import { type AnySQLiteColumn, index } from 'drizzle-orm/sqlite-core'

/**
 * An index of all columns of a table, those of `first` before the others. SQLite has no page checksums, but
 * `integrity_check` compares each row with its entry in each index, so damage in either is found. For tables with few
 * or small rows.
 */
export function wholeRow(name: string, columns: Record<string, AnySQLiteColumn>, ...first: AnySQLiteColumn[]) {
  const all = [...first, ...Object.values(columns).filter((column) => !first.includes(column))] as [
    AnySQLiteColumn,
    ...AnySQLiteColumn[],
  ]
  return index(`${name}_whole`).on(...all)
}
