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
      await tx.insert('accounts', account)
      await tx.insert('projects', project('p1'))
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
      await tx.insert('projects', project('p2'))
      if (runs === 1) await server.terminate()
      await tx.insert('projects', project('p3'))
    })
    expect(runs).toBe(2)
    expect((await store.control.list('projects', { accountId: 'a1' })).map(({ id }) => id).sort()).toEqual([
      'p1',
      'p2',
      'p3',
    ])
  })

  test('reads and writes wait for a database that is started again', async () => {
    const store = await openStore(4)
    const crashed = server.crash()
    const insert = (id: string) => store.control.write((tx) => tx.insert('projects', project(id)))
    await Promise.all([insert('p2'), insert('p3'), store.control.list('accounts', {})])
    await crashed
    expect(await store.control.list('projects', { accountId: 'a1' })).toHaveLength(3)
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

  async function openPool(size: number, limits: { waitMs?: number; useMs?: number }) {
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
    const store = await openPostgresStore(
      { url: url.replace(`:${server.port}/`, `:${proxy.port}/`), poolSize: 1 },
      Date.now,
    )
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
    expect(await rejectionOf(read(({ run }) => run('select 1')))).toBe(
      'all connections to the database are in use; try again',
    )
    first.resolve()
    await using
    await read(({ run }) => run('select 1'))
  })

  test('a free connection goes to whoever waits for the longest time, not to whoever asks in the moment in which it is given back', async () => {
    const { pool, read } = await openPool(1, {})
    await read(({ run }) => run('select 1'))
    const served: string[] = []
    const ask = (name: string) => pool.use(undefined, async () => void served.push(name))
    const first = Promise.withResolvers<void>()
    const asked = [pool.use(undefined, () => first.promise), ask('waiting')]
    await Promise.resolve()
    first.resolve()
    // One in each of the next turns, in one of which the connection is given back.
    for (let turn = 0; turn < 20; turn++) {
      asked.push(ask('later'))
      await Promise.resolve()
    }
    await Promise.all(asked)
    expect(served).toEqual(['waiting', ...Array.from({ length: 20 }, () => 'later')])
  })

  test('a connection in use when the pool is closed is closed once it is given back', async () => {
    const { url } = await server.createDatabase()
    const pool = createPool(url, 1)
    const first = Promise.withResolvers<void>()
    const using = pool.use(undefined, () => first.promise)
    await pool.close()
    first.resolve()
    await using
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const count = async () =>
      (await admin`select from pg_stat_activity where datname = current_database() and usename = 'memsvc'`).length
    await waitUntil('the database has no connection of it', async () => (await count()) === 0)
  })

  test('a database that lets one in and then says nothing is given up, and holds no place in the pool', async () => {
    // What a server says to one who needs no password: you are in, and I am ready.
    const welcome = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]])
    let connections = 0
    const greet = (socket: { write: (bytes: Buffer) => number }) => {
      connections += 1
      socket.write(welcome)
    }
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: greet, data: () => {} } })
    const pool = createPool(`postgres://memsvc@127.0.0.1:${silent.port}/memsvc`, 1, { openMs: 100 })
    const ask = () => rejectionOf(pool.use(undefined, ({ run }) => run('select 1')))
    expect([await ask(), await ask()]).toEqual(['Connection closed', 'Connection closed'])
    expect(connections).toBe(2)
    await pool.close()
    silent.stop(true)
  })

  test('what is set for the database does not change how statements work, but for the schema, which may be another than public', async () => {
    const { url } = await server.createDatabase()
    await using owner = new SQL({ url, max: 1 })
    const [{ name }] = await owner`select current_database() as name`
    await owner.unsafe(`alter database ${name} set default_transaction_isolation = 'repeatable read'`)
    await owner.unsafe(`alter database ${name} set row_security = off`)
    await owner.unsafe(`create schema apart; alter database ${name} set search_path = apart`)
    await using store = new AsyncDisposableStack()
    const open = async () =>
      store.adopt(await openPostgresStore({ url, poolSize: 2 }, Date.now), (opened) => opened.close())
    const [one, two] = [await open(), await open()]
    await one.control.write(async (tx) => {
      await tx.insert('accounts', account)
      await tx.insert('projects', project('p1'))
    })
    expect(await one.project('p1').listRecords({ visible: undefined })).toEqual([])
    // One waits for the row of the window that another one has taken a place of, and then counts it.
    await using holder = new SQL({ url, max: 1 })
    await one.windows.take([{ id: 'k', limit: 3 }], 0)
    await holder.unsafe("begin isolation level read committed; update apart.windows set id = id where id = 'k'")
    const asked = [one, two].map(({ windows }) => windows.take([{ id: 'k', limit: 3 }], 0))
    const countWaiting = async () => (await holder.unsafe('select 1 from pg_locks where not granted')).length
    await waitUntil('both wait', async () => (await countWaiting()) === 2)
    await holder.unsafe('commit')
    expect(await Promise.all(asked)).toEqual([undefined, undefined])
    expect([...(await owner`select distinct schemaname from pg_tables where tableowner = 'memsvc'`)]).toEqual([
      { schemaname: 'apart' },
    ])
  })

  test('where the database is gone, whoever asks is told so', async () => {
    const { proxy, read } = await openPool(1, { waitMs: 10_000, useMs: 10_000 })
    await proxy.stop()
    expect(await rejectionOf(read(({ run }) => run('select 1')))).toBe('the database cannot be reached; try again')
  })
})
