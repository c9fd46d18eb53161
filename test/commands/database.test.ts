import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import type { Check } from '../../src/agent/doctor/check.ts'
import { findPostgres, startPostgres } from '../postgres.ts'
import { makeFolder, openCli, openStartedCli } from '../run-cli.ts'

const programs = findPostgres()
const SECRET = 'ab'.repeat(32)

test.each([
  [
    'sslmode=verify',
    'SVC_DATABASE_URL must have one of these as sslmode: disable, allow, prefer, require, verify-ca, verify-full',
  ],
  ['sslmode=verify-full&sslrootcert=/not/there', 'the database cannot be used: Unable to access caFile path'],
  ['', 'the database postgres://127.0.0.1:1/memsvc cannot be reached: Failed to connect'],
])('a database that cannot be used for %p is told in one line, without its password', async (parameters, said) => {
  const url = `postgres://memsvc:password-of-it@127.0.0.1:1/memsvc?${parameters}`
  const cli = await openCli({ environment: { SVC_DATABASE_URL: url, SVC_SECRET_KEY: SECRET } })
  expect(await cli.run(['account', 'list'])).toEqual({ status: 1, out: '', err: `memsvc: ${said}\n` })
})

test('tables are made for a role that is named, or that the URL of the service names', async () => {
  const cli = await openCli({
    environment: { SVC_DATABASE_URL: 'postgres://127.0.0.1:1/memsvc', SVC_SECRET_KEY: SECRET },
  })
  expect(await cli.run(['database', 'migrate', '--url', 'postgres://owner@127.0.0.1:1/memsvc'])).toEqual({
    status: 1,
    out: '',
    err: 'memsvc: name the role of the service with --role, or set SVC_DATABASE_URL with its user\n',
  })
})

describe.skipIf(programs === undefined)('commands where the data is in a database', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  async function openDatabase() {
    const { url } = await server.createDatabase()
    const environment = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: SECRET, SVC_PORT: '0' }
    return { url, environment, shownUrl: url.replace('memsvc@', ''), cli: await openCli({ environment }) }
  }

  const serve = (cli: Awaited<ReturnType<typeof openCli>>) =>
    cli.run(['serve'], { interrupted: () => Promise.resolve() })

  test('the first start names the database as the place of the data, and what other commands find it by', async () => {
    const { cli, shownUrl } = await openDatabase()
    const { status, err } = await serve(cli)
    expect(status).toBe(0)
    expect(err).toContain(`"data":"${shownUrl}"`)
    expect(readFileSync(join(cli.folder, 'first-key.txt'), 'utf8')).toContain(`Data      ${shownUrl}
          A new database. Other commands find it by SVC_DATABASE_URL; they and other instances need the same SVC_SECRET_KEY.
`)
  })

  test('a schedule of backups is refused rather than left out: none would be made', async () => {
    const { environment } = await openDatabase()
    const cli = await openCli({
      environment: { ...environment, SVC_BACKUP_DIR: await makeFolder(), SVC_BACKUP_EVERY: '6h' },
    })
    expect(await serve(cli)).toEqual({
      status: 1,
      out: '',
      err: 'memsvc: SVC_BACKUP_EVERY makes backups of files, and the data is in a database: unset it, and back up the database with its own tools, such as pg_dump\n',
    })
  })

  test('a backup is restored into no folder that nobody would read; one that is named is meant', async () => {
    const made = await openStartedCli()
    await made.remember({ content: 'The build listens on port 9090' })
    const { file } = await made.json<{ file: string }>(['backup', join(await makeFolder(), 'b.tar.zst')])
    const { cli } = await openDatabase()
    await serve(cli)
    const before = readdirSync(cli.folder)
    expect(await cli.run(['restore', file])).toEqual({
      status: 1,
      out: '',
      err: "memsvc: the data is in a database; use 'memsvc move --from FILE --to database' for an empty one, or restore with --data into a folder\n",
    })
    expect(await cli.run(['restore', file, '--as', 'again'])).toEqual({
      status: 1,
      out: '',
      err: "memsvc: the data is in a database; use 'memsvc restore FILE --data FOLDER', then 'memsvc export' from that folder and 'memsvc import'\n",
    })
    expect(readdirSync(cli.folder)).toEqual(before)
    expect((await cli.json<{ name: string }[]>(['project', 'list'])).map(({ name }) => name)).toEqual(['default'])
    const folder = join(await makeFolder(), 'named')
    expect(await cli.run(['restore', file, '--data', folder])).toMatchObject({ status: 0, err: '' })
    expect(existsSync(join(folder, 'control.db'))).toBe(true)
  })

  test('doctor checks whether the database takes writes', async () => {
    const { cli, url, shownUrl } = await openDatabase()
    await serve(cli)
    const doctor = async () => {
      const { out } = await cli.run(['doctor', '--json'])
      return (JSON.parse(out) as Check[]).filter(({ side }) => side === 'service')
    }
    expect(await doctor()).toMatchObject([
      { name: 'running', state: 'warning' },
      { name: 'first key', state: 'warning' },
      {
        name: 'database',
        state: 'warning',
        detail: expect.stringMatching(new RegExp(`^${shownUrl} takes writes, and answered in \\d+ ms;`)),
      },
    ])
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe(
      `alter role memsvc in database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    )
    expect(await doctor()).toContainEqual({
      side: 'service',
      name: 'database',
      state: 'problem',
      detail: 'the database cannot be used: cannot execute CREATE TABLE in a read-only transaction',
      advice: 'check SVC_DATABASE_URL and the log of the database; docs/scaling.md tells what it needs',
    })
  })

  test('a database of another owner is refused with what to do', async () => {
    const { cli, url } = await openDatabase()
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe(`alter database ${new URL(url).pathname.slice(1)} owner to postgres`)
    expect((await cli.run(['account', 'list'])).err).toBe(
      "memsvc: the database cannot be used: permission denied for schema public; the role has to be its owner (alter database … owner to …), or the owner runs 'memsvc database migrate'\n",
    )
  })

  test('connections have a name in the list of the database, of which another may be given', async () => {
    const { environment, url } = await openDatabase()
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const nameOf = async (databaseUrl: string) => {
      const cli = await openCli({ environment: { ...environment, SVC_DATABASE_URL: databaseUrl } })
      return cli.onService(async () => {
        const rows = await admin.unsafe(
          'select distinct application_name as name from pg_stat_activity where datname = $1 and usename = $2',
          [new URL(url).pathname.slice(1), 'memsvc'],
        )
        return rows.map(({ name }: { name: string }) => name)
      })
    }
    expect(await nameOf(url)).toEqual(['memsvc'])
    expect(await nameOf(`${url}?application_name=memsvc-a`)).toEqual(['memsvc-a'])
  })
})
