import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { type Posted, startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'

const programs = findPostgres()
/** Less than a statement waits for a lock before it gives up by itself. */
const MAX_CANCEL_MS = 5_000
const textOf = ({ body }: Posted) => JSON.stringify(body)

describe.skipIf(programs === undefined)('a search in the database that nobody waits for any more', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  /** A service whose searches wait, in the database, until `release` is called. */
  async function startHeld() {
    const { url: databaseUrl } = await server.createDatabase()
    const running = await startService({ config: { databaseUrl, databasePool: 4, secretKeys: [new Uint8Array(32)] } })
    await running.call('remember', { content: 'The build runs on Fridays' })
    const connect = () => new SQL({ url: databaseUrl.replace('memsvc@', 'postgres@'), max: 1 })
    const [holder, admin] = [connect(), connect()]
    await holder.unsafe('begin; lock table records in access exclusive mode')
    const countWaiting = async () =>
      (
        await admin`select from pg_stat_activity where usename = 'memsvc' and state = 'active' and wait_event_type = 'Lock'`
      ).length
    return {
      ...running,
      waits: (searches = 1) =>
        waitUntil('searches wait in the database', async () => (await countWaiting()) >= searches),
      ends: () => waitUntil('no search waits in the database', async () => (await countWaiting()) === 0, MAX_CANCEL_MS),
      release: async () => {
        await holder.unsafe('commit')
        await Promise.all([holder.close(), admin.close()])
      },
    }
  }

  const search = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'build' } },
  }

  test('ends there when its client disconnects, and the next one is answered', async () => {
    const { url, secret, call, waits, ends, release } = await startHeld()
    const leaving = new AbortController()
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = fetch(`${url}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(search),
      signal: leaving.signal,
    })
    await waits()
    leaving.abort()
    expect(await rejectionOf(answer)).toContain('aborted')
    await ends()
    await release()
    expect((await call('search', { query: 'build' })).text).toContain('Fridays')
  })

  test('ends there when its client cancels it, which the answer says', async () => {
    const { call, post, waits, ends, release } = await startHeld()
    const answer = post(search)
    await waits()
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    await ends()
    expect(textOf(await answer)).toContain('the call was cancelled')
    await release()
    expect((await call('search', { query: 'build' })).text).toContain('Fridays')
  })

  test('is not ended for another one that was cancelled', async () => {
    const { as, org, post, waits, release } = await startHeld()
    // The one to cancel is on its way before the other one begins, which may wait in several connections.
    const cancelled = post(search)
    await waits()
    const other = as((await org.issueKey()).secret).post({ ...search, id: 8 })
    await waits(2)
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    expect(textOf(await cancelled)).toContain('the call was cancelled')
    await release()
    expect(textOf(await other)).toContain('Fridays')
  })
})
