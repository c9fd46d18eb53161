import { Database } from 'bun:sqlite'
import { test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { Config } from '../src/config.ts'

/** Whether services of tests keep their data in PostgreSQL. */
export const isOnPostgres = process.env.SVC_TEST_STORE === 'postgres'

/**
 * A test of what only the embedded engine has, which `reason` names: left out where services keep their data in
 * PostgreSQL, and unless `isPossible`.
 */
export function embeddedTest(reason: string, isPossible = true): typeof test {
  if (reason === '') throw new Error('what has PostgreSQL not?')
  return isOnPostgres || !isPossible ? (test.skip as typeof test) : test
}

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>
type Rows = Record<string, unknown[]>

/** Runs a statement on the data of a project, behind the back of the service. */
export async function changeProject(
  { dataDir, databaseUrl }: Place,
  projectId: string,
  statement: string,
): Promise<void> {
  if (databaseUrl === undefined) {
    using database = new Database(join(dataDir, 'projects', `${projectId}.db`))
    database.run(statement)
  } else {
    await using client = new SQL({ url: databaseUrl, max: 1 })
    await client`select set_config('memsvc.project_id', number::text, false) from project_numbers where id = ${projectId}`
    await client.unsafe(statement)
  }
}

/** All rows that are of no project, by table. */
export function readControl({ dataDir, databaseUrl }: Place): Promise<Rows> {
  return databaseUrl === undefined ? readFile(join(dataDir, 'control.db')) : readDatabase(databaseUrl)
}

async function readFile(path: string): Promise<Rows> {
  using database = new Database(path, { readonly: true })
  const tables = database
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table' order by name")
    .all()
  return Object.fromEntries(tables.map(({ name }) => [name, database.query(`select * from "${name}"`).all()]))
}

/** Windows of limits are counted by every call that is refused, and are no data. Policies hide what is of projects. */
async function readDatabase(url: string): Promise<Rows> {
  await using client = new SQL({ url, max: 1 })
  const tables: { name: string }[] = await client`select tablename as name from pg_tables
    where schemaname = current_schema() and tablename not like 'window%' order by 1`
  const rows: Rows = {}
  for (const { name } of tables) rows[name] = [...(await client.unsafe(`select * from "${name}" order by 1, 2`))]
  return rows
}

/** The same as text, to look for what must not be kept; of files every byte, also those that no row has any more. */
export async function readControlText(place: Place): Promise<string> {
  const rows = JSON.stringify(await readControl(place))
  if (place.databaseUrl !== undefined) return rows
  const files = ['control.db', 'control.db-wal'].map((name) => join(place.dataDir, name)).filter(existsSync)
  return [rows, ...files.map((file) => readFileSync(file, 'latin1'))].join('\n')
}
