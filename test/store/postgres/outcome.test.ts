import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isCommitted, NAME, readName, type TransactionName } from '../../../src/store/postgres/outcome.ts'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'

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

  /** The name of a transaction that ended so. */
  const run = (end: 'commit' | 'rollback'): Promise<TransactionName> =>
    pool.use(undefined, async ({ send }) => {
      const [, named = []] = await send([sql`begin`, NAME, end === 'commit' ? sql`commit` : sql`rollback`])
      return readName(named)
    })
  const UNKNOWN = 'the database was lost during the commit; look whether it was saved before you try again'

  test('took effect where the database says so', async () => {
    expect(await isCommitted(pool, await run('commit'))).toBe(true)
    expect(await isCommitted(pool, await run('rollback'))).toBe(false)
  })

  test('took no effect where the server came up again and has not given its number yet', async () => {
    const { number, run: before } = await run('commit')
    expect(await isCommitted(pool, { number: String(BigInt(number) + 1_000n), run: before })).toBe(false)
  })

  test('is not known where a server that came up again committed something under its number', async () => {
    const { number } = await run('commit')
    expect(await rejectionOf(isCommitted(pool, { number, run: 'before a crash' }))).toBe(UNKNOWN)
  })
})
