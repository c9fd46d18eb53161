import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { decryptHeaders } from '../../../src/gateway/credentials.ts'
import { moveData } from '../../../src/maintenance/move.ts'
import type { OnProgress } from '../../../src/store/move.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { createDatabaseTarget } from '../../../src/store/postgres/move/database-target.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { makeFolder, openStartedCli } from '../../run-cli.ts'
import { makeFolderToMove } from './make-folder.ts'

const programs = findPostgres()
const SECRET = 'ab'.repeat(32)

/**
 * Tables of a file that say something of the file itself, or are made anew from others. `projects` is compared without
 * when its files were made.
 */
const OF_THE_FILE = /^(migrations|identity|sqlite_sequence|word_index.*|passages|usage|audience_stats|indexing)$/

/** The rows of each table, as texts in order. Credentials are left out. */
function readTables(path: string): Record<string, string[]> {
  using database = new Database(path, { readonly: true })
  const names = database.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all()
  const kept = names.map(({ name }) => name).filter((name) => !OF_THE_FILE.test(name))
  return Object.fromEntries(
    kept.map((name) => [name, database.query(`select * from ${name}`).all().map(toText).sort()]),
  )
}

const SET_ANEW = ['headers', 'made_at', 'history_made_at', 'codes', 'row_check']

function toText(row: unknown): string {
  const fields = Object.entries(row as object).filter(([name]) => !SET_ANEW.includes(name))
  return JSON.stringify(fields.map(([name, value]) => [name, value instanceof Uint8Array ? value.toHex() : value]))
}

const withoutMove = (rows: string[] = []) => rows.filter((row) => !row.includes('data.move'))

describe.skipIf(programs === undefined)('memsvc move', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  /** A folder with something in every table, an empty database, a folder to move back to, and the command. */
  async function openMove() {
    const made = await makeFolderToMove()
    const { url } = await server.createDatabase()
    const back = join(await makeFolder(), 'back')
    const move = (from: string, to: string, environment: Record<string, string> = {}) =>
      made.run(['move', '--from', from, '--to', to], {
        environment: { SVC_DATA_DIR: made.folder, SVC_SECRET_KEY: SECRET, ...environment },
      })
    const inDatabase = (words: string[]) =>
      made.run(words, { environment: { SVC_DATA_DIR: made.folder, SVC_DATABASE_URL: url, SVC_SECRET_KEY: SECRET } })
    const inBack = (words: string[]) => made.run(words, { environment: { SVC_DATA_DIR: back } })
    return { ...made, url, back, move, inDatabase, inBack }
  }

  test('a database that could not be marked as being filled is as empty as before', async () => {
    const { url } = await server.createDatabase()
    const toEntry = () => {
      throw new Error('nothing is moved')
    }
    const target = createDatabaseTarget(url, { toEntry, now: 0 })
    expect(await rejectionOf(target.begin('no text of PostgreSQL: \0'))).toContain('invalid byte sequence')
    await target.begin('another source')
    await target.close()
  })

  test('everything goes into a database and comes back: every row of every table', async () => {
    const { folder, back, url, project, move, control, inBack } = await openMove()
    const files = ['control.db', `projects/${project.id}.db`, `projects/${project.id}.history.db`]
    const before = files.map((file) => readTables(join(folder, file)))
    for (const tables of before) expect(Object.entries(tables).filter(([, rows]) => rows.length === 0)).toEqual([])
    expect(await move(folder, url)).toMatchObject({
      status: 0,
      out: expect.stringContaining('220 records, 2 sessions'),
    })
    expect(await move(url, back)).toMatchObject({ status: 0 })
    files.forEach((file, at) => {
      const after = readTables(join(back, file))
      expect(Object.keys(after)).toEqual(Object.keys(before[at] ?? {}))
      for (const [name, rows] of Object.entries(after))
        expect([name, withoutMove(rows)]).toEqual([name, before[at]?.[name] ?? []])
    })
    expect(existsSync(control)).toBe(true)
    const doctor = await inBack(['doctor', '--json'])
    const found = JSON.parse(doctor.out) as { side: string; state: string; name: string; detail: string }[]
    expect(found.filter(({ name, state }) => /file|project|histories/.test(name) && state !== 'ok')).toEqual([])
  })

  test('credentials of integrations are encrypted anew, and the folder needs no key of the database', async () => {
    const { folder, back, url, move } = await openMove()
    await move(folder, url)
    await move(url, back)
    const config = { ...readConfig({}), dataDir: back, secretKeys: [] } satisfies Config
    const store = await openStore(config, { now: Date.now })
    const integrations = await store.control.list('integrations', {})
    for (const one of integrations)
      expect(decryptHeaders({ config }, one)).toEqual({ authorization: `Bearer secret of ${one.slug}` })
    await store.close()
    expect(integrations).toHaveLength(60)
  })

  test('searches find the same, in the same order', async () => {
    const { folder, url, back, move, inDatabase, inBack, run } = await openMove()
    await move(folder, url)
    await move(url, back)
    for (const query of [
      'parser port',
      'servidor compilacion',
      '東京 月曜日',
      'базы данных',
      'parseHTTPResponse2',
      'Tuesday deploys',
      '*',
    ]) {
      const words = ['search', query, '--project', 'default', '--json', '--limit', '30']
      const [before, after, returned] = [await run(words), await inDatabase(words), await inBack(words)]
      expect(before).toMatchObject({ status: 0 })
      expect([query, JSON.parse(after.out)]).toEqual([query, JSON.parse(before.out)])
      expect([query, JSON.parse(returned.out)]).toEqual([query, JSON.parse(before.out)])
    }
  })

  test('one that was cut short is not served, and goes on where it was', async () => {
    const { folder, back, url, move, inDatabase, inBack, onService } = await openMove()
    const context = await onService(async ({ config, clock, random }) => ({
      config: { ...config, secretKeys: [new Uint8Array(32).fill(0xab)] },
      clock,
      random,
    }))
    /** Moves until so many rows were moved, or compared. */
    const cutShort = (from: string, to: string, until: string, most: number) => {
      const [folderPlace, database] = [
        (path: string) => ({ kind: 'folder' as const, path }),
        { kind: 'database' as const, url },
      ]
      const places = from === url ? { from: database, to: folderPlace(to) } : { from: folderPlace(from), to: database }
      const onProgress = (doing: string, rows: number) => {
        if (doing === until && rows >= most) throw new Error('cut')
      }
      return rejectionOf(moveData(context, COMMAND_LINE, { ...places, passphrase: async () => undefined, onProgress }))
    }
    for (const [until, most] of [
      ['moving', 150],
      ['moving', 400],
      ['comparing', 300],
    ] as const)
      expect(await cutShort(folder, url, until, most)).toBe('cut')
    expect(await inDatabase(['project', 'list'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('a move into this database has not ended'),
    })
    expect(await move(folder, url)).toMatchObject({ status: 0, err: '' })
    for (const most of [1, 250, 700]) expect(await cutShort(url, back, 'moving', most)).toBe('cut')
    expect((await inBack(['project', 'list'])).status).toBe(1)
    expect(await move(url, back)).toMatchObject({ status: 0, err: '' })
    expect((await inBack(['project', 'list'])).status).toBe(0)
    const names = readdirSync(back).filter((name) => !/-(wal|shm)$/.test(name))
    expect(names.sort()).toEqual(['control.db', 'projects', 'secret.key', 'serve.lock'])
  })

  test('a target that is not empty is refused, and so is another source behind one that was cut short', async () => {
    const { folder, url, back, move, onOrganization } = await openMove()
    const other = await server.createDatabase()
    await move(folder, url)
    expect(await move(folder, url)).toMatchObject({
      status: 1,
      err: expect.stringContaining("the database is not empty (its table 'accounts' has rows)"),
    })
    await Bun.write(join(back, 'a file'), 'of somebody else')
    expect(await move(url, back)).toMatchObject({ status: 1, err: expect.stringContaining("is not empty ('a file')") })
    const context = await onOrganization(async () => ({
      config: { ...readConfig({}), dataDir: folder, secretKeys: [new Uint8Array(32)] },
    }))
    const input = {
      from: { kind: 'folder' as const, path: folder },
      to: { kind: 'database' as const, url: other.url },
      passphrase: async () => undefined,
    }
    const clock = { now: Date.now, ticks: () => 0 }
    const random = { uuid: () => Bun.randomUUIDv7(), bytes: (length: number) => new Uint8Array(length) }
    const onProgress = () => {
      throw new Error('cut')
    }
    expect(await rejectionOf(moveData({ ...context, clock, random }, COMMAND_LINE, { ...input, onProgress }))).toBe(
      'cut',
    )
    await onOrganization((org) => org.addProject('third'))
    expect(await move(folder, other.url)).toMatchObject({
      status: 1,
      err: expect.stringContaining('or the source has changed since'),
    })
  })

  test('neither place may be in use, and a key that is missing is told before anything is moved', async () => {
    const { folder, url, back, move } = await openMove()
    const open = await openStore(
      { dataDir: folder, databaseUrl: url, databasePool: 2, secretKeys: [new Uint8Array(32)] },
      { now: Date.now },
    )
    await open.check()
    expect(await move(folder, url)).toMatchObject({
      status: 1,
      err: expect.stringContaining('stop every instance first'),
    })
    expect(await move(url, back)).toMatchObject({
      status: 1,
      err: expect.stringContaining('stop every instance first'),
    })
    await open.close()
    expect(await move(folder, url, { SVC_SECRET_KEY: '' })).toMatchObject({
      status: 1,
      err: expect.stringContaining('SVC_SECRET_KEY must be set'),
    })
    await Bun.write(join(folder, 'secret.key'), `${'cd'.repeat(32)}\n`)
    expect(await move(folder, url)).toMatchObject({
      status: 1,
      err: expect.stringMatching(
        /the key that the credentials of integration 'server-\d+' were encrypted with is missing/,
      ),
    })
    expect(await move(folder, back)).toMatchObject({
      status: 1,
      err: expect.stringContaining('move goes from a data folder or a backup to a database'),
    })
    expect(existsSync(back)).toBe(false)
  })

  /** Moves in this process, which `onProgress` may end. */
  async function moveHere(
    made: Awaited<ReturnType<typeof openMove>>,
    to: 'database' | 'back',
    onProgress: OnProgress,
    key = 0xab,
  ) {
    const context = await made.onService(async ({ config, clock, random }) => ({
      config: { ...config, secretKeys: [new Uint8Array(32).fill(key)] },
      clock,
      random,
    }))
    const database = { kind: 'database' as const, url: made.url }
    const toPlace = (path: string) => ({ kind: 'folder' as const, path })
    const places =
      to === 'database' ? { from: toPlace(made.folder), to: database } : { from: database, to: toPlace(made.back) }
    return moveData(context, COMMAND_LINE, { ...places, passphrase: async () => undefined, onProgress })
  }

  const cutAtOnce = () => {
    throw new Error('cut')
  }

  test('a folder that a move has only begun to fill is not served, and one that was served since is not moved into again', async () => {
    const made = await openMove()
    const { folder, url, back, move, inBack } = made
    await move(folder, url)
    expect(await rejectionOf(moveHere(made, 'back', cutAtOnce))).toBe('cut')
    const mark = await Bun.file(join(back, 'moving')).text()
    rmSync(join(back, 'projects'), { recursive: true, force: true })
    expect(await rejectionOf(openStore({ ...readConfig({}), dataDir: back }, { now: Date.now }))).toContain(
      'has not ended',
    )
    expect(await move(url, back)).toMatchObject({ status: 0 })
    await Bun.write(join(back, 'moving'), mark)
    expect(await inBack(['project', 'add', 'new here'])).toMatchObject({ status: 0 })
    expect(await move(url, back)).toMatchObject({ status: 1, err: expect.stringContaining('is not empty') })
    expect((await inBack(['project', 'list'])).out).toContain('new here')
  })

  test('a source that an instance has begun to serve meanwhile is told in the end, and the target is not whole', async () => {
    const made = await openMove()
    const { folder, url, back, move, inBack } = made
    await move(folder, url)
    let begun: ReturnType<typeof openStore> | undefined
    const serve = () => {
      begun ??= openStore(
        { dataDir: folder, databaseUrl: url, databasePool: 2, secretKeys: [new Uint8Array(32)] },
        { now: Date.now },
      )
    }
    expect(await rejectionOf(moveHere(made, 'back', serve))).toContain('stop every instance first')
    await (await begun)?.close()
    expect((await inBack(['project', 'list'])).status).toBe(1)
    expect(await move(url, back)).toMatchObject({ status: 0 })
  })

  test('one that goes on with another key than it began with is told so, and goes on with the right one', async () => {
    const made = await openMove()
    const cutAtEnd = (doing: string, rows: number, of: number) => {
      if (doing === 'comparing' && rows === of) throw new Error('cut')
    }
    expect(await rejectionOf(moveHere(made, 'database', cutAtEnd))).toBe('cut')
    expect(await rejectionOf(moveHere(made, 'database', () => {}, 0xcd))).toMatch(
      /^the key that the credentials of integration .* is missing/,
    )
    expect(await moveHere(made, 'database', () => {})).toMatchObject({ integrations: 60, records: 220 })
  })

  test('a database of something else is left as it is, whoever opens it', async () => {
    const { folder, move, run } = await openMove()
    for (const table of ['migrations (id integer)', 'accounts (id integer)']) {
      const { url } = await server.createDatabase()
      await using client = new SQL({ url, max: 1 })
      await client.unsafe(`create table ${table}`)
      const told = { status: 1, err: expect.stringContaining('the database holds tables of something else') }
      expect(await move(folder, url)).toMatchObject(told)
      const environment = { SVC_DATABASE_URL: url, SVC_SECRET_KEY: SECRET }
      expect(await run(['project', 'list'], { environment })).toMatchObject(told)
      expect(await client`select tablename from pg_tables where schemaname = 'public'`).toHaveLength(1)
    }
  })

  test('a backup is moved as the folder it was made of, of which nothing stays where it was unpacked, also at an interrupt', async () => {
    const { folder, url, move, run, inDatabase } = await openMove()
    const file = join(await makeFolder(), 'all.tar.zst')
    const environment = { SVC_BACKUP_PASSPHRASE: 'correct horse battery' }
    expect(await run(['backup', file], { environment: { SVC_DATA_DIR: folder, ...environment } })).toMatchObject({
      status: 0,
    })
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('memsvc-move-'))
    const before = temporary()
    const interrupted = await run(['move', '--from', file, '--to', url], {
      environment: { SVC_DATA_DIR: folder, SVC_SECRET_KEY: SECRET, ...environment },
      interrupted: async () => {},
    })
    expect(interrupted).toEqual({
      status: 1,
      out: '',
      err: 'memsvc: interrupted; run the same command again to continue\n',
    })
    expect(temporary()).toEqual(before)
    expect(await move(file, url, environment)).toMatchObject({ status: 0, out: expect.stringContaining('220 records') })
    expect((await inDatabase(['record', 'list', '--project', 'default', '--json', '--limit', '300'])).status).toBe(0)
  })

  test('a folder that nothing was saved into is moved, too', async () => {
    const { folder, run } = await openStartedCli()
    const { url } = await server.createDatabase()
    const environment = { SVC_DATA_DIR: folder, SVC_SECRET_KEY: SECRET, SVC_DATABASE_URL: url }
    expect(await run(['move', '--from', folder, '--to', 'database'], { environment })).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 project, 0 records, 0 sessions'),
    })
    const { out } = await run(['record', 'save', 'The first note', '--project', 'default', '--json'], { environment })
    expect(JSON.parse(out)).toMatchObject({ created: true })
  })
})
