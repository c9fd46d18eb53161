import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'

const programs = findPostgres()
const TOKEN = 'a token of at least 16 characters'
const STANDBY = 'the database is a standby, or read-only, and takes no writes'

describe.skipIf(programs === undefined)('a service before a database', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)
  const onDatabase = (url: string) => ({ databaseUrl: url, databasePool: 4, secretKeys: [new Uint8Array(32)] })

  test('is ready, and says in which role the database is and how long it took to answer', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const { url } = await startService({ config: { ...onDatabase(databaseUrl), metricsToken: TOKEN } })
    const response = await fetch(`${url}/readyz`)
    expect(await response.json()).toEqual({
      status: 'ok',
      database: { role: 'primary', latency_ms: expect.any(Number) },
      last_commit_at: '2026-01-15T12:00:00.000Z',
    })
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(await metrics.text()).toMatch(/^memsvc_database_latency_seconds \d/m)
  })

  test('that is a standby starts, refuses every call with the reason, and serves once the standby is promoted', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const primary = await startService({ config: onDatabase(databaseUrl) })
    expect((await primary.call('remember', { content: 'The build runs on Fridays' })).isError).toBe(false)
    const standby = await server.startStandby()
    const config = onDatabase(databaseUrl.replace(`:${server.port}/`, `:${standby.port}/`))
    const { url, service, as } = await startService({ config, first: primary })
    const there = as(primary.secret)
    await waitUntil(
      'the standby has the key',
      async () => (await there.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status === 200,
    )

    expect(await there.call('search', { query: 'build' })).toBeToolError(`${STANDBY}; try again`)
    expect(await there.call('remember', { content: 'x' })).toBeToolError(`${STANDBY}; try again`)
    expect(await rejectionOf(service.store.control.write(async () => {}))).toBe(`${STANDBY}; nothing was saved`)
    const response = await fetch(`${url}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ status: STANDBY })

    await standby.promote()
    expect((await there.call('search', { query: 'build' })).text).toContain('Fridays')
    expect((await there.call('remember', { content: 'The build takes an hour' })).isError).toBe(false)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('that takes no connection any more is not ready; callers are told to try again, and the log says what the database said', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const { url, call, post, logged } = await startService({ config: onDatabase(databaseUrl) })
    const name = new URL(databaseUrl).pathname.slice(1)
    await using admin = new SQL({ url: `postgres://postgres@127.0.0.1:${server.port}/postgres`, max: 1 })
    await admin.unsafe(`alter database ${name} allow_connections false`)
    await server.terminate()
    const [ready, answer] = await Promise.all([
      fetch(`${url}/readyz`),
      post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ])
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'the database cannot be reached' }])
    expect([answer.status, answer.body]).toMatchObject([
      503,
      { error: { message: 'the database cannot be reached; try again' } },
    ])
    expect(logged.join()).toContain(
      `the database cannot be reached (database \\"${name}\\" is not currently accepting connections)`,
    )
    await admin.unsafe(`alter database ${name} allow_connections true`)
    expect((await call('remember', { content: 'The build runs on Fridays' })).isError).toBe(false)
  })

  test('whose disk is full is not ready; callers are told so, and the log says what could not be written', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const { url, call, logged } = await startService({ config: onDatabase(databaseUrl) })
    await using admin = new SQL({ url: databaseUrl.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe(`create function fill() returns trigger language plpgsql as
      'begin raise exception using errcode = ''53100'', message = ''could not extend file''; end';
      create trigger fill before insert on window_places execute function fill()`)
    const [ready, answer] = await Promise.all([fetch(`${url}/readyz`), call('search', { query: 'build' })])
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'the disk is full' }])
    expect(answer).toBeToolError('the disk is full; try again')
    expect(logged.join()).toMatch(/"event":"the storage refused to write",.*"error":"could not extend file"/)
    await admin.unsafe('drop trigger fill on window_places')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('that ends a statement for its time is said to be late', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const { call } = await startService({ config: onDatabase(databaseUrl) })
    await using admin = new SQL({ url: databaseUrl.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe(`create function linger() returns trigger language plpgsql as
      'begin raise exception using errcode = ''57014'', message = ''canceling statement''; end';
      create trigger linger before insert on window_places execute function linger()`)
    expect(await call('search', { query: 'build' })).toBeToolError('the database did not answer in time; try again')
  })

  test('that is a standby without its tables is refused', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const standby = await server.startStandby()
    const url = databaseUrl.replace(`:${server.port}/`, `:${standby.port}/`)
    expect(await rejectionOf(openPostgresStore({ url, poolSize: 1 }, Date.now))).toBe(
      'the database is a standby without the tables of this version; start an instance on its primary first',
    )
  })
})
