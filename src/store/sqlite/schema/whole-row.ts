import { type AnySQLiteColumn, index } from 'drizzle-orm/sqlite-core'

/**
 * An index of every column of a table, those of `first` before the others. SQLite keeps no checksums of its pages, but `integrity_check` compares each row with its entry
 * in each index: so a byte that was damaged in either is found. For tables of few or small rows.
 */
export function wholeRow(name: string, columns: Record<string, AnySQLiteColumn>, ...first: AnySQLiteColumn[]) {
  const all = [...first, ...Object.values(columns).filter((column) => !first.includes(column))] as [AnySQLiteColumn, ...AnySQLiteColumn[]]
  return index(`${name}_whole`).on(...all)
}
