import { DrizzleQueryError, type SQL, sql } from 'drizzle-orm'
import {
  type Columns,
  type Params,
  type ProjectEngine,
  type ProjectSql,
  type ProjectTables,
  toRecordLists,
} from '../../shared/project/sql.ts'
import { DIALECT } from '../among.ts'
import { fromText, toText } from '../exact-text.ts'
import { createDatabase } from '../run.ts'
import * as project from '../schema/project.ts'
import { records } from '../schema/project.ts'
import type { Scope } from './scope.ts'

/** What statements that both engines share need to reach the data of a project. */
export const toEngine = ({ projectId, run }: Scope): ProjectEngine => ({
  db: createDatabase(run) as unknown as ProjectEngine['db'],
  tables: project as unknown as ProjectEngine['tables'],
  ...DIALECT,
  own: { projectId },
})

const LISTS = toRecordLists(records as unknown as ProjectTables['records'])
/** The database itself checks what it reads. */
const RECORD: ProjectSql['record'] = { ...LISTS, checked: LISTS.whole, requireAsSaved: (row) => row }

/** Each slice takes a round trip. */
const FIRST_SLICE = 1 << 10
const MAX_SLICE = 1 << 16

/** Runs statements on a project's rows. */
export function createSql({ projectId, run, later }: Scope): ProjectSql {
  const execute = (text: string, params: Params) =>
    run(async ({ db: { $client } }) => {
      const { statement, values } = toPositional(text, { ...params, project: projectId })
      try {
        return await $client.unsafe(statement, values)
      } catch (error) {
        // The log names the statement; its parameters hold people's data.
        throw new DrizzleQueryError(statement, [], error as Error)
      }
    })
  const all: ProjectSql['all'] = async <Row>(text: string, params: Params, columns: Columns = {}) => {
    const rows: Record<string, unknown>[] = await execute(text, params)
    return rows.map((row) => decode(row, columns)) as Row[]
  }
  return {
    all,
    allOnce: all,
    run: async (text, params) => (await execute(text, params)).count,
    later: (text, params) =>
      later === undefined ? execute(text, params) : later(toStatement(text, { ...params, project: projectId })),
    own: (table) => `${table === undefined ? '' : `${table}.`}project_id = $project`,
    lead: { column: 'project_id, ', value: '$project, ' },
    by: () => '',
    place: 'ctid',
    texts: (param) => `(select value from json_array_elements_text($${param}::text::json))`,
    numbers: (param) => `(select unnest($${param}::text::integer[]) as number)`,
    rows: (param, columns) => {
      const types = Object.entries(columns).map(([name, column]) => `"${name}" ${column.getSQLType()}`)
      return `json_to_recordset($${param}::text::json) as ${param} (${types.join(', ')})`
    },
    joinRecord: (number) =>
      `cross join lateral (select * from records where project_id = $project and seq between ${number} and ${number} order by seq limit 1) as records`,
    listOf: (query) => `(select string_agg(seq::text, ',') from (${query}) as listed)`,
    inTurn: (read) => read,
    inBatches: (seqs, _size, read) => read(seqs),
    sizeOfSlice: (before) => (before === undefined ? FIRST_SLICE : Math.min(MAX_SLICE, before.size * 8)),
    record: RECORD,
  }
}

/** A statement with numbered parameters, and their values in that order. */
function toPositional(text: string, params: Params): { statement: string; values: unknown[] } {
  const names: string[] = []
  const statement = text.replace(/\$([a-zA-Z]\w*)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { statement, values: names.map((name) => toValue(params[name])) }
}

function toStatement(text: string, params: Params): SQL {
  const { statement, values } = toPositional(text, params)
  return sql.join(
    statement.split(/\$(\d+)/).map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`)),
  )
}

/** Numbers go as an array, other lists as JSON. */
function toValue(value: Params[string] | undefined): unknown {
  if (typeof value === 'string') return toText(value)
  if (!Array.isArray(value)) return value
  if (value.every((one) => typeof one === 'number')) return `{${value.join(',')}}`
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? toText(one) : one))
}

/** Converts a row in its place: to make another one of its entries takes three times as long. */
function decode(row: Record<string, unknown>, columns: Columns): object {
  for (const name in row) {
    const value = row[name]
    const column = columns[name]
    if (value === null) continue
    if (column !== undefined) row[name] = column.mapFromDriverValue(value)
    else if (typeof value === 'string') row[name] = fromText(value)
  }
  return row
}
