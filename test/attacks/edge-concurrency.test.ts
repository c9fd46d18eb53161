import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/revoke-key.ts'
import { createConcurrency } from '../../src/account/limits/concurrency.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const never = () => new AbortController().signal

/** Acts that end when they are told to, with the order in which they began. */
function startActs(bounds: { ofKey: number; waitingOfKey: number; ofAll: number }) {
  const concurrency = createConcurrency(bounds)
  const began: string[] = []
  const ends: (() => void)[] = []
  const run = async (key: string, name: string, signal = never) =>
    concurrency.run(
      key,
      () => {
        began.push(name)
        return new Promise<string>((resolve) => ends.push(() => resolve(name)))
      },
      signal,
    )
  const end = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { concurrency, began, run, end }
}

test('of one key, so many acts are at work and so many wait; the next is refused and takes no place', async () => {
  const { run, began, end, concurrency } = startActs({ ofKey: 2, waitingOfKey: 3, ofAll: 10 })
  const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => run('key', name))
  expect(began).toEqual(['a', 'b'])
  expect(await rejectionOf(run('key', 'f'))).toContain(
    'too many calls at once; 2 of this key are at work and 3 wait: try again when some have ended',
  )
  for (let time = 0; time < 5; time++) await end()
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(began).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(concurrency.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('keys that wait are served in rotation, however many acts one of them has', async () => {
  const { run, began, end } = startActs({ ofKey: 2, waitingOfKey: 10, ofAll: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void run('a', name)
  for (const name of ['b1', 'b2']) void run('b', name)
  void run('c', 'c1')
  for (let time = 0; time < 8; time++) await end()
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5'])
})

test('an act whose caller has gone gives up its place and is never run', async () => {
  const { run, began, end, concurrency } = startActs({ ofKey: 1, waitingOfKey: 2, ofAll: 10 })
  const gone = new AbortController()
  void run('key', 'a')
  const left = run('key', 'b', () => gone.signal)
  void run('key', 'c')
  gone.abort()
  expect(await rejectionOf(left)).toContain('the call was cancelled')
  expect(await rejectionOf(run('key', 'd', () => gone.signal))).toContain('the call was cancelled')
  void run('key', 'e')
  for (let time = 0; time < 3; time++) await end()
  expect(began).toEqual(['a', 'c', 'e'])
  expect(concurrency.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('an act that throws or rejects leaves its place to the next', async () => {
  const concurrency = createConcurrency({ ofKey: 1, waitingOfKey: 1, ofAll: 1 })
  const fail = () => {
    throw new Error('at once')
  }
  expect(await rejectionOf(concurrency.run('key', fail, never))).toContain('at once')
  expect(await rejectionOf(concurrency.run('key', () => Promise.reject(new Error('later')), never))).toContain('later')
  expect(await concurrency.run('key', async () => 'done', never)).toBe('done')
  expect(concurrency.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('four calls of a key are at work and 64 wait; a call beyond is refused, and another key is answered meanwhile', async () => {
  const { call, as, service, project, org } = await startService()
  const other = await org.issueKey()
  const tool = service.memoryCalls
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { keyId } = { keyId: (await service.store.control.listKeys(project.id))[0]?.id ?? '' }
  const atWork = [1, 2, 3, 4].map(() => tool.run(keyId, () => held, never))
  const waiting = Array.from({ length: 64 }, () => call('search', { query: '*' }))
  await waitUntil('64 calls wait', () => tool.counts().waiting === 64)
  expect(await call('search', { query: '*' })).toBeToolError(/^too many calls at once; 4 of this key are at work and 64 wait/)
  expect(await as(other.secret).call('search', { query: '*' })).not.toBeToolError(/too many/)
  letGo()
  await Promise.all(atWork)
  for (const answer of await Promise.all(waiting)) expect(answer.text).not.toContain('too many')
  expect(tool.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('of calls to other servers, 32 of a key are at work and 64 wait, and memory is not held up by them', async () => {
  const { call, service, project } = await startService()
  const keyId = (await service.store.control.listKeys(project.id))[0]?.id ?? ''
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const atWork = Array.from({ length: 32 }, () => service.forwardedCalls.run(keyId, () => held, never))
  const args = { integration: 'wiki', tool: 'read' }
  const waiting = Array.from({ length: 64 }, () => call('gateway_call', args))
  await waitUntil('64 calls wait', () => service.forwardedCalls.counts().waiting === 64)
  expect(await call('gateway_call', args)).toBeToolError(/^too many calls at once; 32 of this key are at work and 64 wait: try again/)
  expect(await call('search', { query: '*' })).toBeToolError(/is not active/)
  letGo()
  await Promise.all(atWork)
  for (const answer of await Promise.all(waiting)) expect(answer).toBeToolError(/no integration 'wiki'/)
})

test('a call whose client hung up while it waited is never made', async () => {
  const { url, secret, service, project, call } = await startService()
  const keyId = (await service.store.control.listKeys(project.id))[0]?.id ?? ''
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const atWork = [1, 2, 3, 4].map(() => service.memoryCalls.run(keyId, () => held, never))
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = { name: 'remember', arguments: { content: 'never saved' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const posted = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: gone.signal }).catch(() => undefined)
  await waitUntil('the call waits', () => service.memoryCalls.counts().waiting === 1)
  gone.abort()
  await waitUntil('the call has given up its place', () => service.memoryCalls.counts().waiting === 0)
  letGo()
  await Promise.all([...atWork, posted])
  expect(await call('search', { query: 'never saved' })).toBeToolError(/is not active/)
})

test('a call whose key is revoked while it waits is answered 401, and never made', async () => {
  const { service, project, org, as, call } = await startService()
  const { key, secret } = await org.issueKey()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const atWork = [1, 2, 3, 4].map(() => service.memoryCalls.run(key.id, () => held, never))
  const params = { name: 'remember', arguments: { content: 'saved too late' } }
  const posted = as(secret).post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await waitUntil('the call waits', () => service.memoryCalls.counts().waiting === 1)
  await revokeKey(service, COMMAND_LINE, key)
  letGo()
  await Promise.all(atWork)
  expect(await posted).toMatchObject({ status: 401 })
  expect(await call('search', { query: 'saved too late' })).toBeToolError(/is not active/)
  expect(await service.store.project(project.id).readUsage()).toMatchObject({ records: 0 })
})
