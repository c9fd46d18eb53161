import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { startService } from '../../start-service.ts'

const programs = findPostgres()

describe.skipIf(programs === undefined)('statements that the database refuses', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  test('are logged with their SQLSTATE, and with no word of a query or a record', async () => {
    const { url } = await server.createDatabase()
    const { call, post, logged } = await startService({
      config: { databaseUrl: url, databasePool: 2, secretKeys: [new Uint8Array(32)] },
    })
    await call('remember', { content: 'A note' })
    await using client = new SQL({ url, max: 1 })
    await client`alter table records rename to other`
    const use = (name: string, args: object) =>
      post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    for (const answer of [await use('search', { query: 'xylograph' }), await use('remember', { content: 'Zeugma' })])
      expect(answer.body?.error?.message).toStartWith('Internal error (request ')
    const errors = logged.map((line) => String(JSON.parse(line).error))
    expect(errors).toEqual([
      expect.stringContaining('a statement failed (SQLSTATE 42P01): select * from (select seq from records'),
      expect.stringContaining('a statement failed (SQLSTATE 42P01)'),
    ])
    expect(logged.join('\n')).not.toMatch(/xylograph|zeugma/i)
  })
})
