import { type Column, DrizzleQueryError, eq, getTableColumns, type SQL, type Table } from 'drizzle-orm'
import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ControlTables } from './schema/control.ts'

/**
 * What shared statements need of an engine. Queries are awaited, never run by `all` or `get`. The types are those of
 * SQLite's builders; those of PostgreSQL are used alike.
 */
export type Engine<Tables = ControlTables> = {
  db: Pick<
    BaseSQLiteDatabase<'async', unknown>,
    'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$count'
  >
  tables: Tables
  /** What a row's place in its table is called. */
  place: SQL
  /** Whether a column has one of the values: one statement for any number of them. */
  isAmong: (column: Column, values: string[] | number[]) => SQL
  /**
   * Rows to select from, which are named `row` and have columns of these names and types: one parameter, however many
   * rows.
   */
  toRows: (rows: object[], columns: Record<string, Column>) => SQL
  /** What each row of a project has in addition where tables hold the data of several projects. */
  own: { projectId?: number }
}

/** An engine inside a write of control data. `changed` is called for each change that the control version counts. */
export type WriteEngine = Engine & { changed: () => void }

type Own = Pick<Engine<unknown>, 'own'>
const projectOf = (table: Table) => (table as unknown as { projectId: SQLiteColumn }).projectId

/** Whether a row is of the engine's project; undefined in a file of its own. */
export const isOwn = ({ own: { projectId } }: Own, table: Table): SQL | undefined =>
  projectId === undefined ? undefined : eq(projectOf(table), projectId)

/** The columns that lead a unique index, in front of others. */
export const toKey = (
  { own: { projectId } }: Own,
  table: Table,
  ...columns: SQLiteColumn[]
): [SQLiteColumn, ...SQLiteColumn[]] =>
  [...(projectId === undefined ? [] : [projectOf(table)]), ...columns] as [SQLiteColumn, ...SQLiteColumn[]]

/** The columns of a table, without the one of the project. */
export function toColumns<Of extends SQLiteTable>(table: Of): Of['_']['columns'] {
  const { projectId: _projectId, ...columns } = getTableColumns(table)
  return columns as Of['_']['columns']
}

/** A value that is made at its first use. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

type Verb = (...args: never[]) => Promise<unknown>

/** The same verbs, whose failures are converted. */
export function withFailures<Verbs extends Record<keyof Verbs, Verb>>(
  toFailure: (error: unknown) => unknown,
  verbs: Verbs,
): Verbs {
  const wrap =
    (verb: Verb) =>
    async (...args: never[]) => {
      try {
        return await verb(...args)
      } catch (error) {
        throw toFailure(error)
      }
    }
  // A copy of the proxy: each verb is wrapped once, and a call does not pass through it.
  return { ...new Proxy(verbs, { get: (all, name) => wrap(Reflect.get(all, name)) }) }
}

/** What was thrown where a statement was to run: Drizzle says instead which statement failed. */
export const toCause = (error: unknown): unknown =>
  error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error
