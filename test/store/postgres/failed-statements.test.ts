import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { startService } from '../../start-service.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('statements that the database refuses', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('are told to callers as such, and logged with their SQLSTATE, and with no word of a query or a record', async () => {
    const { url } = await server.createDatabase()
    const { call, post, logged } = await startService({
      config: { databaseUrl: url, databasePool: 2, secretKeys: [new Uint8Array(32)] },
    })
    await call('remember', { content: 'A note' })
    await using client = new SQL({ url, max: 1 })
    await client`alter table records rename to other`
    for (const answer of [await call('search', { query: 'xylograph' }), await call('remember', { content: 'Zeugma' })])
      expect(answer).toBeToolError('the database cannot be used at present; try again')
    await client`alter table keys rename to others`
    const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect([status, body?.error?.message]).toEqual([503, 'the database cannot be used at present; try again'])
    const [line] = logged.map((line) => JSON.parse(line))
    expect(line).toMatchObject({
      event: 'the storage refused to write',
      reason: 'the database cannot be used at present',
      error: expect.stringContaining('a statement failed (SQLSTATE 42P01): select records.seq'),
    })
    expect(logged.join('\n')).not.toMatch(/xylograph|zeugma/i)
  })
})
