import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { Connection } from '../connection.ts'
import { toText } from '../exact-text.ts'
import { records } from '../schema/project.ts'

/** A row of a record, without what the database computes itself. */
export type RecordRow = typeof records.$inferInsert & { projectId: number }

/**
 * Rows of records that the acts of one transaction added, which are written together, and statements that nobody needs
 * an answer of: sent before anything else is read or written, and before the commit.
 */
export type Inserts = {
  add: (row: RecordRow) => void
  addStatement: (statement: SQL) => void
  clear: () => void
  /** The statements that write them, in their order. */
  take: () => SQL[]
  flush: (connection: Connection) => Promise<void>
}

export function createInserts(): Inserts {
  let rows: RecordRow[] = []
  let statements: SQL[] = []

  function takeRows(): SQL[] {
    const taken = rows
    rows = []
    return taken.length === 0 ? [] : [toInsert(taken)]
  }

  function take(): SQL[] {
    const taken = [...statements, ...takeRows()]
    statements = []
    return taken
  }

  return {
    add: (row) => void rows.push(row),
    addStatement: (statement) => void statements.push(...takeRows(), statement),
    clear: () => {
      rows = []
      statements = []
    },
    take,
    flush: async ({ send }) => {
      const taken = take()
      if (taken.length > 0) await send(taken)
    },
  }
}

const { savedAt: _savedAt, rankedAt: _rankedAt, ...INSERTED } = getTableColumns(records)
const COLUMNS = Object.entries(INSERTED).map(([field, column]) => {
  const type = column.getSQLType().replace(' collate "C"', '')
  return { field, name: toSnakeCase(field), type, isBytes: type === 'bytea' }
})

// Bytes come as hexadecimal, which JSON has a form for.
const INSERT = `insert into records (${COLUMNS.map(({ name }) => name).join(', ')})
  select ${COLUMNS.map(({ name, isBytes }) => (isBytes ? `decode(row.${name}, 'hex')` : `row.${name}`)).join(', ')}`
const ROW = COLUMNS.map(({ name, type, isBytes }) => `${name} ${isBytes ? 'text' : type}`).join(', ')

/** One statement with one parameter, however many rows. */
export const toInsert = (rows: RecordRow[]): SQL => sql`${sql.raw(INSERT)} from ${toRecordset(rows)}`

const toRecordset = (rows: RecordRow[]): SQL =>
  sql`json_to_recordset(${JSON.stringify(rows.map(toJson))}::text::json) as row (${sql.raw(ROW)})`

const toJson = (row: RecordRow) =>
  Object.fromEntries(COLUMNS.map(({ field, name }) => [name, toJsonValue((row as Record<string, unknown>)[field])]))

function toJsonValue(value: unknown): unknown {
  if (typeof value === 'string') return toText(value).toWellFormed()
  return value instanceof Uint8Array ? value.toHex() : value
}
