import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'drizzle-orm'
import { isCommitted, NAME, readName, type TransactionName } from '../../../src/store/postgres/outcome.ts'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { waitUntil } from '../../wait-until.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('a commit whose answer was lost', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  const { url } = await server.createDatabase()
  const pool = createPool(url, 2)
  afterAll(async () => {
    await pool.close()
    await server.stop()
  })

  /** Without anything in the log, a commit is not waited for. */
  const WRITE = sql`select pg_logical_emit_message(true, 'a test', '')`
  /** The name of a transaction that ended so. */
  const run = (end: 'commit' | 'rollback'): Promise<TransactionName> =>
    pool.use(undefined, async ({ send }) => {
      const [, named = []] = await send([sql`begin`, NAME, WRITE, end === 'commit' ? sql`commit` : sql`rollback`])
      return readName(named)
    })
  const UNKNOWN = 'the database was lost during the commit; look whether it was saved before you try again'

  test('took effect where the database says so', async () => {
    expect(await isCommitted(pool, await run('commit'))).toBe(true)
    expect(await isCommitted(pool, await run('rollback'))).toBe(false)
  })

  test('is not known where no connection could be had to ask', async () => {
    const transaction = await run('commit')
    const busy = createPool(url, 1, { waitMs: 6_000 })
    const ended = Promise.withResolvers<void>()
    const held = busy.use(undefined, () => ended.promise)
    expect(await rejectionOf(isCommitted(busy, transaction))).toBe(UNKNOWN)
    ended.resolve()
    await held
    await busy.close()
  })

  test('took no effect where the server came up again and has not given its number yet', async () => {
    const { number, run: before } = await run('commit')
    expect(await isCommitted(pool, { number: String(BigInt(number) + 1_000n), run: before })).toBe(false)
  })

  test('did not take effect for good before synchronous standbys have it, also where the connection ended while it waited for them', async () => {
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const setStandbys = async (names: string) => {
      await admin.unsafe(`alter system set synchronous_standby_names = '${names}'`)
      await admin.unsafe('select pg_reload_conf()')
    }
    const findWaiting = async (): Promise<{ pid: number }[]> =>
      admin.unsafe("select pid from pg_stat_activity where wait_event = 'SyncRep' and usename = 'memsvc'")
    const waits = (what: string) =>
      waitUntil(`${what} waits for a standby`, async () => (await findWaiting()).length === 1).then(() => 'waits')
    await setStandbys('nobody')
    let name: TransactionName | undefined
    const commit = () =>
      pool.use(undefined, async ({ send }) => {
        const [, named = []] = await send([sql`begin`, NAME, WRITE])
        name = readName(named)
        await send([sql`commit`])
      })
    let committing = Promise.resolve()
    // Sessions know of the setting before the process of the server does that makes commits wait.
    await waitUntil('the server lets commits wait', async () => {
      committing = commit()
      return (await Promise.race([waits('the commit'), committing])) === 'waits'
    })
    const [waiting] = await findWaiting()
    const ended = rejectionOf(committing)
    await admin.unsafe(`select pg_terminate_backend(${waiting?.pid})`)
    await ended
    const outcome = isCommitted(pool, name ?? { number: '', run: '' })
    expect(await Promise.race([waits('the look-up'), outcome])).toBe('waits')
    await setStandbys('')
    expect(await outcome).toBe(true)
  })

  test('is not told by a standby that has it and does not know it yet', async () => {
    const { port, promote } = await server.startStandby()
    const standby = url.replace(String(server.port), String(port))
    await using admin = new SQL({ url: standby.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe('select pg_wal_replay_pause()')
    const isPaused = async () => (await admin`select pg_get_wal_replay_pause_state() as state`)[0].state === 'paused'
    await waitUntil('the standby goes no further', isPaused)
    const transaction = await run('commit')
    await using primary = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const [{ lsn }] = await primary`select pg_current_wal_flush_lsn()::text as lsn`
    const hasIt = async () => (await admin`select pg_last_wal_receive_lsn() >= ${lsn}::text::pg_lsn as has`)[0].has
    await waitUntil('the standby has it', hasIt)
    const there = createPool(standby, 1)
    const told = rejectionOf(isCommitted(there, transaction))
    const asked = () => admin`select from pg_stat_activity where usename = 'memsvc' and query like '%pg_xact_status%'`
    await waitUntil('the standby is asked', async () => (await asked()).length > 0)
    await promote()
    expect(await told).toBe(UNKNOWN)
    await there.close()
  })

  test('is not known where a server that came up again committed something under its number', async () => {
    const { number } = await run('commit')
    expect(await rejectionOf(isCommitted(pool, { number, run: 'before a crash' }))).toBe(UNKNOWN)
  })
})
