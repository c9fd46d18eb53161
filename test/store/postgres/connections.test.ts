import { afterAll, describe, expect, onTestFinished, test } from 'bun:test'
import { SQL } from 'bun'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { createReadRun } from '../../../src/store/postgres/run.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { startProxy } from '../../durability/proxy.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { waitUntil } from '../../wait-until.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('connections to the database', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  async function openStore(poolSize = 1) {
    const { url } = await server.createDatabase()
    const store = await openPostgresStore({ url, poolSize }, Date.now)
    onTestFinished(store.close)
    await store.control.write(async (tx) => {
      await tx.insertAccount(account)
      await tx.insertProject(project('p1'))
    })
    return store
  }

  test('one that the database ended while nobody used it is replaced by one that shows the same project', async () => {
    const store = await openStore()
    const memory = store.project('p1')
    await memory.write(async (tx) => {
      await tx.insertWorkspace('default', NOW)
      await tx.insertRecord(record('r1'))
    })
    expect(await server.terminate()).toBeGreaterThan(0)
    expect(await memory.listRecords({ visible: undefined })).toHaveLength(1)
    expect(await server.terminate()).toBeGreaterThan(0)
    expect((await memory.readUsage()).records).toBe(1)
  })

  test('an act whose connection ends in its midst takes effect whole, and once', async () => {
    const store = await openStore()
    let runs = 0
    await store.control.write(async (tx) => {
      runs += 1
      await tx.insertProject(project('p2'))
      if (runs === 1) await server.terminate()
      await tx.insertProject(project('p3'))
    })
    expect(runs).toBe(2)
    expect((await store.control.listProjects('a1')).map(({ id }) => id).sort()).toEqual(['p1', 'p2', 'p3'])
  })

  test('reads and writes wait for a database that is started again', async () => {
    const store = await openStore(4)
    const crashed = server.crash()
    const insert = (id: string) => store.control.write((tx) => tx.insertProject(project(id)))
    await Promise.all([insert('p2'), insert('p3'), store.control.listAccounts()])
    await crashed
    expect(await store.control.listProjects('a1')).toHaveLength(3)
  })

  test('background work is done by one instance at a time, and by another one once its connection has ended', async () => {
    const { url } = await server.createDatabase()
    const [one, two] = await Promise.all([1, 2].map(() => openPostgresStore({ url, poolSize: 1 }, Date.now)))
    const nothing = async () => {}
    const outcomes = await one?.runAlone('purge', async (isAlone) => {
      expect(await two?.runAlone('purge', nothing)).toBe(false)
      expect(await two?.runAlone('reindex', nothing)).toBe(true)
      await server.terminate()
      await waitUntil('the instance learns of it', () => !isAlone())
      expect(await two?.runAlone('purge', nothing)).toBe(true)
    })
    expect(outcomes).toBe(true)
    await Promise.all([one?.close(), two?.close()])
  })

  async function openPool(size: number, limits: { waitMs: number; useMs: number }) {
    const { url } = await server.createDatabase()
    const proxy = await startProxy(server.port)
    const pool = createPool(url.replace(String(server.port), String(proxy.port)), size, limits)
    onTestFinished(async () => {
      proxy.resume()
      await pool.close()
      await proxy.stop()
    })
    return { pool, proxy, read: createReadRun(pool, undefined, 200) }
  }

  test('a place in a window is taken once, also where the answer was lost on its way', async () => {
    const { url } = await server.createDatabase()
    const proxy = await startProxy(server.port)
    const store = await openPostgresStore({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`), poolSize: 1 }, Date.now)
    const take = () => store.windows.take([{ id: 'k', limit: 3 }], 0)
    await take()
    const other = new SQL({ url, max: 1 })
    await other.unsafe('begin; select from windows for update')
    const asked = take()
    const isWaiting = async () => (await other.unsafe('select 1 from pg_locks where not granted')).length > 0
    await waitUntil('the database waits for the window', isWaiting)
    proxy.cut()
    await other.unsafe('commit')
    expect(await asked).toBeUndefined()
    expect(await Promise.all([take(), take()])).toEqual([undefined, { id: 'k', untilFreeMs: expect.any(Number) }])
    await Promise.all([store.close(), other.close()])
    await proxy.stop()
  })

  test('what waits for an answer that never comes is given up, and others go on when the way is free', async () => {
    const { pool, proxy, read } = await openPool(1, { waitMs: 10_000, useMs: 200 })
    await read(({ run }) => run('select 1'))
    proxy.stall()
    expect(await rejectionOf(pool.use(undefined, ({ run }) => run('select 1')))).toBe('Connection closed')
    proxy.resume()
    await read(({ run }) => run('select 1'))
  })

  test('whoever waits too long for a free connection is told so', async () => {
    const { pool, read } = await openPool(1, { waitMs: 50, useMs: 10_000 })
    const first = Promise.withResolvers<void>()
    const using = pool.use(undefined, () => first.promise)
    expect(await rejectionOf(read(({ run }) => run('select 1')))).toBe('all connections to the database are in use; try again')
    first.resolve()
    await using
    await read(({ run }) => run('select 1'))
  })

  test('where the database is gone, whoever asks is told so', async () => {
    const { proxy, read } = await openPool(1, { waitMs: 10_000, useMs: 10_000 })
    await proxy.stop()
    expect(await rejectionOf(read(({ run }) => run('select 1')))).toBe('the database cannot be reached; try again')
  })
})
