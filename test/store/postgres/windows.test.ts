import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { waitUntil } from '../../wait-until.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('windows that others of the database count in', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)
  const PLACES = ['a', 'b'].map((id) => ({ id, limit: 2 }))

  async function open() {
    const { url } = await server.createDatabase()
    const time = { now: 0 }
    const store = await openPostgresStore({ url, poolSize: 2, sharedNow: () => time.now }, Date.now)
    const other = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const isWaiting = async () =>
      (
        await other.unsafe(
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%take_places%'",
        )
      ).length > 0
    const close = async () => {
      await other.close()
      await store.close()
    }
    return { store, time, other, isWaiting, close }
  }

  test('are asked for again where the database ended the request for a deadlock, and taken once', async () => {
    const { store, other, isWaiting, close } = await open()
    expect(await store.windows.take(PLACES, 0)).toBeUndefined()
    // The other one checks for a deadlock later, so that it is the request that is ended.
    await other.unsafe("begin; set local deadlock_timeout = '20s'; select from windows where id = 'b' for update")
    const taken = store.windows.take(PLACES, 0)
    await waitUntil('the request waits', isWaiting)
    await other.unsafe("select from windows where id = 'a' for update")
    await other.unsafe('rollback')
    expect(await taken).toBeUndefined()
    expect(await store.windows.count('b', 0)).toBe(2)
    await close()
  })

  test('are forgotten without waiting for one that is being taken', async () => {
    const { store, time, other, close } = await open()
    await store.windows.take(PLACES, 0)
    time.now += 60_000
    await other.unsafe("begin; select from windows where id = 'a' for update")
    await store.tidy()
    expect([...(await other.unsafe('select id from windows'))]).toEqual([{ id: 'a' }])
    await other.unsafe('rollback')
    await close()
  })
})
