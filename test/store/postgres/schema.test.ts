import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { migrations } from '../../../src/store/postgres/migrations.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { makeFolderToMove } from '../../maintenance/move/make-folder.ts'
import { findPostgres, hasProgram, startPostgres } from '../../postgres.ts'
import { startService } from '../../start-service.ts'

const programs = findPostgres()
const SECRET = 'ab'.repeat(32)
const PARTITIONS = 4

/** The tables of projects' data are those behind row-level security. */
const PROJECT_TABLES = 'select oid, relname as name from pg_class where relrowsecurity order by relname'

/** The number that stands for a project in the tables of its data. */
const numberOf = async (client: SQL, id: string): Promise<number | undefined> =>
  (await client`select number from project_numbers where id = ${id}`)[0]?.number

/** A step of the migrations with every table of projects' data partitioned by hash of the project. */
function toPartitioned(sql: string, tables: string[]): string {
  return tables.reduce((text, name) => {
    const parts = Array.from({ length: PARTITIONS }, (_, at) => {
      return `create table ${name}_${at} partition of ${name} for values with (modulus ${PARTITIONS}, remainder ${at});`
    })
    return text.replace(
      new RegExp(`(CREATE TABLE "${name}" \\([^;]*\\n\\));`),
      `$1 partition by hash (project_id);\n${parts.join('\n')}`,
    )
  }, sql)
}

describe.skipIf(programs === undefined)('the schema of PostgreSQL', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)
  const connect = (url: string) => new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
  let tables: { oid: number; name: string }[] = []
  let url = ''
  beforeAll(async () => {
    url = (await server.createDatabase()).url
    await using client = new SQL({ url, max: 1 })
    for (const { sql } of migrations) await client.unsafe(sql)
    tables = await client.unsafe(PROJECT_TABLES)
  })

  test('every table of projects is led by the project, has it in each key and index, and is behind a forced policy', async () => {
    await using client = connect(url)
    expect(tables.length).toBeGreaterThan(15)
    const first = await client.unsafe(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attnum = 1
        where relrowsecurity and relforcerowsecurity and attname = 'project_id' order by relname`,
    )
    expect(first.map(({ name }: { name: string }) => name)).toEqual(tables.map(({ name }) => name))
    const without = await client.unsafe(
      `select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid join pg_attribute on attrelid = indrelid and attnum = indkey[0]
        where relrowsecurity and attname <> 'project_id'`,
    )
    expect([...without]).toEqual([])
  })

  test('a service works on tables that are partitioned by a hash of the project, and each project is in one partition', async () => {
    const { url: partitioned } = await server.createDatabase()
    const names = tables.map(({ name }) => name)
    await using owner = new SQL({ url: partitioned, max: 1 })
    await owner.unsafe(
      'create table migrations (name text primary key, hash text not null, applied_at bigint not null)',
    )
    for (const { name, hash, sql } of migrations) {
      await owner.unsafe(toPartitioned(sql, names))
      await owner`insert into migrations values (${name}, ${hash}, 1)`
    }
    const config = { databaseUrl: partitioned, databasePool: 4, secretKeys: [new Uint8Array(32)] }
    const { call, org, project, as, service } = await startService({ config })
    const secrets = [(await org.issueKey()).secret]
    for (let at = 0; at < 8; at++)
      secrets.push((await org.issueKey({ project: await org.addProject(`project ${at}`) })).secret)
    for (const [at, secret] of secrets.entries()) {
      const { call: callAs } = as(secret)
      for (const content of ['The parser listens on port 9090', `Deploys of ${at} go out on Tuesdays`])
        await callAs('remember', { content, source_id: 'docs' })
      const { structured } = await callAs('search', { query: 'deploys on tuesday' })
      expect((structured?.result as { content: string }[] | undefined)?.[0]?.content).toBe(
        `Deploys of ${at} go out on Tuesdays`,
      )
    }
    expect((await call('forget', { source_id: 'docs' })).structured).toMatchObject({ result: { forgotten: 2 } })
    await using admin = connect(partitioned)
    const kinds = await admin.unsafe("select relkind as kind from pg_class where relrowsecurity and relkind <> 'p'")
    expect([...kinds]).toEqual([])
    const spread = await admin.unsafe(
      'select count(distinct tableoid)::integer as n, count(distinct project_id)::integer as projects from records',
    )
    expect(spread[0].projects).toBe(9)
    expect(spread[0].n).toBeGreaterThan(1)
    const number = await numberOf(admin, project.id)
    await service.store.eraseProject(project.id)
    expect((await admin`select 1 from records where project_id = ${number}`).length).toBe(0)
    expect(await numberOf(admin, project.id)).toBeUndefined()
  })

  test.skipIf(!hasProgram('pg_dump'))(
    'a project is erased completely: no row of it is in any table, and no text of it in a dump of the database',
    async () => {
      const { folder, project, run } = await makeFolderToMove()
      const { url: moved } = await server.createDatabase()
      const environment = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: moved, SVC_SECRET_KEY: SECRET }
      const inDatabase = (words: string[]) => run(words, { environment })
      expect(await inDatabase(['move', '--from', folder, '--to', moved])).toMatchObject({ status: 0 })
      await inDatabase(['record', 'save', 'Another project keeps its note', '--project', 'second'])
      await using admin = connect(moved)
      const number = await numberOf(admin, project.id)
      const holding = async () => {
        const found: string[] = []
        for (const { name } of tables)
          if ((await admin.unsafe(`select 1 from ${name} where project_id = ${number} limit 1`)).length > 0)
            found.push(name)
        return found
      }
      // A service makes the index of histories after a move.
      await admin`insert into history_passages values (${number}, 1, 'owner', 1, 1, 1, '', '{1}')`
      expect(await holding()).toEqual(tables.map(({ name }) => name))
      expect(await inDatabase(['project', 'remove', 'default', '--yes'])).toMatchObject({ status: 0 })
      expect(await holding()).toEqual([])
      const dump = Bun.spawnSync([
        join(programs, 'pg_dump'),
        '--data-only',
        moved.replace('memsvc@', 'postgres@'),
      ]).stdout.toString()
      expect(dump).toContain('Another project keeps its note')
      for (const text of ['parser', 'standup', '東京', 'docs/part-2.md', 'a session', '/home/ana'])
        expect([text, dump.includes(text)]).toEqual([text, false])
    },
  )

  test('a database of an older version is brought up to date when it is opened', async () => {
    const { url: older } = await server.createDatabase()
    const open = async () => (await openPostgresStore({ url: older, poolSize: 1 }, Date.now)).close()
    await open()
    const last = { name: '9999_made_up', hash: 'made up', sql: 'create table made_up as select name from migrations' }
    migrations.push(last)
    onTestFinished(() => void migrations.splice(migrations.indexOf(last), 1))
    await open()
    await using owner = new SQL({ url: older, max: 1 })
    expect([...(await owner`select name from migrations except select name from made_up`)]).toMatchObject([
      { name: last.name },
    ])
  })
})
