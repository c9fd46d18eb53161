import { and, asc, type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type MovedTable, type MoveSource, type Part, pageRowsOf, type Row } from '../move/tables.ts'
import { type Engine, isOwn, toColumns } from './engine.ts'
import type { HistoryEngine } from './history/tables.ts'
import { type ProjectTables, toRecordColumns } from './project/sql.ts'
import type { ControlTables } from './schema/control.ts'

/** A table, and the columns of it that are moved. */
type Moved = { table: SQLiteTable; columns: Record<string, Column> }

/** The tables of an engine that are moved, by the names of `MOVED_TABLES`. */
export function toMovedTables(
  control: ControlTables,
  project: ProjectTables,
  { sources: historySources, blocks, lines, owners, suggestions }: HistoryEngine['tables'],
): Record<MovedTable, Moved> {
  const all = (tables: Record<string, SQLiteTable>, columnsOf: (table: SQLiteTable) => Moved['columns']) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { table, columns: columnsOf(table) }]))
  const moved: Record<string, Moved> = {
    ...all(control, toControlColumns),
    ...all({ ...project, historySources, blocks, lines, owners, suggestions }, toColumns),
    records: { table: project.records, columns: toRecordColumns(project.records) },
  }
  return moved as Record<MovedTable, Moved>
}

/** All columns but those that say that a file was made, which one engine has. */
function toControlColumns(table: SQLiteTable): Moved['columns'] {
  const { madeAt: _madeAt, historyMadeAt: _historyMadeAt, ...columns } = getTableColumns(table)
  return columns
}

/** What reading the tables of a move needs of an engine. */
type MoveEngine<By extends Column | SQL> = {
  tables: Record<MovedTable, Moved>
  /** Runs an act on a database that has the part. */
  use: <Value>(part: Part, act: (on: Pick<Engine, 'db' | 'own'>) => Promise<Value>) => Promise<Value>
  /** What the rows of a table are ordered by, which no two of them have the same. */
  orderOf: (table: SQLiteTable) => By[]
  /** A value of such a column, to be compared with it. */
  toValue: (value: unknown, column: By) => SQL
}

export const createMoveReads = <By extends Column | SQL>(
  engine: MoveEngine<By>,
): Pick<MoveSource, 'count' | 'read'> => ({
  count: (part, name) => {
    const { table } = engine.tables[name]
    return engine.use(part, ({ db, own }) => db.$count(table, isOwn({ own }, table)))
  },
  read: (part, name, skip = 0) => readPages(engine, part, name, skip),
})

async function* readPages<By extends Column | SQL>(engine: MoveEngine<By>, part: Part, name: MovedTable, skip: number) {
  const { table, columns } = engine.tables[name]
  const limit = pageRowsOf(name)
  const order = engine.orderOf(table)
  const places = Object.fromEntries(order.map((column, at) => [`place${at}`, column]))
  let isAfter: SQL | undefined
  for (let offset = skip, size = limit; size === limit; offset = 0) {
    const page: Row[] = await engine.use(part, ({ db, own }) =>
      db
        .select({ ...columns, ...places } as Record<string, SQL>)
        .from(table)
        .where(and(isOwn({ own }, table), isAfter))
        .orderBy(...order.map((column) => asc(column)))
        .limit(limit)
        .offset(offset),
    )
    size = page.length
    const last = page.at(-1)
    const values = order.map((column, at) => engine.toValue(last?.[`place${at}`], column))
    isAfter = sql`(${sql.join(order, sql`, `)}) > (${sql.join(values, sql`, `)})`
    if (size > 0)
      yield page.map((row) => Object.fromEntries(Object.entries(row).filter(([field]) => !(field in places))))
  }
}
