import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import type { Store } from '../../../src/store/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { waitUntil } from '../../wait-until.ts'
import { account, NOW, project, record } from '../suite/context.ts'

const programs = findPostgres()
const RECORDS = 1_000
const RECORDS_PER_SOURCE = 20
/** The reads of the test are about 400 records; one look through the project would be another 1 000. */
const MAX_ROWS_READ = 900

describe.skipIf(programs === undefined)('statistics of the database', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  async function fill(store: Store, id: string): Promise<void> {
    await store.control.write((tx) => tx.insert('projects', project(id)))
    await store.project(id).write(async (tx) => {
      await tx.insertWorkspace('default', NOW)
      for (let at = 0; at < RECORDS; at++)
        await tx.insertRecord(record(`${id} ${at}`, { sourceId: `s${at % (RECORDS / RECORDS_PER_SOURCE)}` }))
    })
  }

  test('that know nothing of a new project do not make reads by number and of neighbours look through it', async () => {
    const { url } = await server.createDatabase()
    const open = () => openPostgresStore({ url, poolSize: 1 }, Date.now)
    await using admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    // What a connection has read is counted when it ends.
    const countRead = async () => {
      await waitUntil(
        'the connections have ended',
        async () => (await admin`select from pg_stat_activity where usename = 'memsvc'`).length === 0,
      )
      const [row] =
        await admin`select idx_tup_fetch::integer + seq_tup_read::integer as rows from pg_stat_user_tables where relname = 'records'`
      return Number(row.rows)
    }
    const filling = await open()
    await filling.control.write((tx) => tx.insert('accounts', account))
    await fill(filling, 'p1')
    await admin.unsafe('analyze')
    await fill(filling, 'p2')
    await filling.close()
    const before = await countRead()
    const store = await open()
    const records = store.project('p2')
    const seqs = Array.from({ length: 100 }, (_, at) => 1 + 10 * at)
    expect(await records.findTokens(['*'], seqs, 0)).toHaveLength(100)
    expect(await records.findRecordsBySeq(['*'], seqs)).toHaveLength(100)
    expect(await records.filterRecords({ visible: ['*'] }, seqs)).toHaveLength(100)
    expect(await records.findNeighbours(['*'], seqs.slice(0, 20))).toHaveLength(20)
    await store.close()
    const read = (await countRead()) - before
    expect(read).toBeGreaterThan(300)
    expect(read).toBeLessThan(MAX_ROWS_READ)
  })
})
