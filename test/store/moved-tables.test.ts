import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MOVED_TABLES, type MovedTable } from '../../src/store/move/tables.ts'
import { POSTGRES_MOVED } from '../../src/store/postgres/move/moved-tables.ts'
import { SQLITE_MOVED } from '../../src/store/sqlite/move/moved-tables.ts'

const NAMES = Object.values(MOVED_TABLES).flat() as MovedTable[]

/** Every table that the files of a schema export. */
async function tablesOf(engine: 'sqlite' | 'postgres'): Promise<(SQLiteTable | PgTable)[]> {
  const folder = join(import.meta.dir, '../../src/store', engine, 'schema')
  const modules = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))))
  return modules.flatMap((module) => Object.values(module)).filter((one) => is(one, SQLiteTable) || is(one, PgTable))
}

/** Tables that are made anew from what is carried, describe the file itself, or count for one database and minute. */
const MADE_ANEW = {
  sqlite: ['audience_stats', 'identity', 'identity', 'indexing', 'languages', 'passages', 'usage'],
  postgres: [
    'audience_stats',
    'control_version',
    'history_passages',
    'history_state',
    'languages',
    'posting_lists',
    'project_numbers',
    'project_state',
    'window_answers',
    'window_places',
    'windows',
  ],
}

test('a move carries every table of either engine, but for those that are made anew', async () => {
  for (const [engine, moved] of [
    ['sqlite', SQLITE_MOVED],
    ['postgres', POSTGRES_MOVED],
  ] as const)
    expect([...NAMES.map((name) => getTableName(moved[name].table)), ...MADE_ANEW[engine]].sort()).toEqual(
      (await tablesOf(engine)).map(getTableName).sort(),
    )
})

test('a row has the same fields in both engines', () => {
  for (const name of NAMES)
    expect([name, ...Object.keys(SQLITE_MOVED[name].columns).sort()]).toEqual([
      name,
      ...Object.keys(POSTGRES_MOVED[name].columns).sort(),
    ])
})

/** Columns that are computed from others, or that say what an engine does with a row. */
const COMPUTED: Partial<Record<MovedTable, string[]>> = {
  projects: ['madeAt', 'historyMadeAt'],
  sessions: ['number'],
  browsers: ['number'],
  audit: ['scope'],
  records: [
    'codes',
    'keyHash',
    'contentBytes',
    'contentHash',
    'language',
    'length',
    'rankedAt',
    'rowCheck',
    'saveHash',
    'savedAt',
    'sourceName',
    'terms',
  ],
}

test('no column of a table is left behind but what is computed', () => {
  for (const name of NAMES)
    for (const { table, columns } of [SQLITE_MOVED[name], POSTGRES_MOVED[name]]) {
      const ofProject =
        is(table, PgTable) && !(MOVED_TABLES.control as readonly string[]).includes(name) ? ['projectId'] : []
      const left = Object.keys(getTableColumns(table)).filter((column) => !(column in columns))
      expect(left.filter((column) => ![...(COMPUTED[name] ?? []), ...ofProject].includes(column))).toEqual([])
    }
})
