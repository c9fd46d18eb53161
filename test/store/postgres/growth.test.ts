import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { Entry } from '../../../src/memory/transfer/entry.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { importAll } from '../../memory/transfer/import-all.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { openTestService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'
import { record } from '../suite/context.ts'

const programs = findPostgres()
const RECORDS = 2_000
const RECORDS_PER_COMMIT = 100
/** From its sixth use on, PostgreSQL may keep one plan of a prepared statement for all values. */
const USES_UNTIL_PLANS_ARE_KEPT = 8
/**
 * To fill and to analyze the tables reads some 10 000 rows, the last use of each tool 200; with the plans of empty
 * tables it reads 100 000.
 */
const MAX_ROWS_READ = 20 * RECORDS

describe.skipIf(programs === undefined)('plans that a connection made while the tables were empty', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('are not kept when the tables have grown: no tool and no import looks through the project', async () => {
    const { url } = await server.createDatabase()
    const service = await openTestService({
      config: { databaseUrl: url, databasePool: 1, secretKeys: [new Uint8Array(32)] },
    })
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe('analyze')
    for (let use = 0; use < USES_UNTIL_PLANS_ARE_KEPT; use++) await useAll(service, `early${use}`)
    const other = await openPostgresStore({ url, poolSize: 1 }, Date.now)
    // In many commits, as a load saves: a look during a long one takes a table for large, and its rows, which are not
    // committed, for none.
    for (let saved = 0; saved < RECORDS; saved += RECORDS_PER_COMMIT) {
      await other.project(service.project.id).write(async (tx) => {
        for (let at = saved; at < saved + RECORDS_PER_COMMIT; at++) await tx.insertRecord(record(`r${at}`))
      })
    }
    await waitUntil('the tables have been analyzed', async () => {
      const [row] = await admin`select reltuples::integer as known from pg_class where relname = 'records'`
      // Until it has doubled, a table is not analyzed again.
      return row.known >= RECORDS / 2 - RECORDS_PER_COMMIT
    })
    await other.close()
    await useAll(service, 'late')
    await service.stop()
    // What a connection has read is counted when it ends.
    await waitUntil(
      'the connections have ended',
      async () => (await admin`select from pg_stat_activity where usename = 'memsvc'`).length === 0,
    )
    const [read] = await admin`select sum(seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_user_tables`
    expect(read.rows).toBeGreaterThan(0)
    expect(read.rows).toBeLessThan(MAX_ROWS_READ)
  })
})

type Running = Awaited<ReturnType<typeof openTestService>>

async function useAll(running: Running, mark: string): Promise<void> {
  const { call } = running
  const first = { content: `The ${mark} is open`, fact_key: mark, source_id: mark, source_hash: '1' }
  const second = { ...first, content: `The ${mark} is closed`, source_hash: '2' }
  const called = [
    await call('remember', first),
    await call('remember', second),
    await call('search', { query: mark }),
    await call('validate_memory', { source_id: mark }),
    await call('forget', { source_id: mark, stale: true }),
  ]
  expect(called.filter(({ isError }) => isError)).toEqual([])
  const entries: Entry[] = [
    { content: `The ${mark} is blue` },
    { ...first, fact_key: `${mark} colour`, content: `The ${mark} is green` },
  ]
  const imported = await importAll(running, entries)
  expect(imported).toMatchObject({ saved: 2 })
}
