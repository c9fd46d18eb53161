import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/key.ts'
import { createConcurrency } from '../../src/account/limits/concurrency.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const never = () => new AbortController().signal
const MIB = 2 ** 20

/** Acts that end when they are told to, with the order in which they began. */
function startActs(bounds: { ofKey: number; waitingOfKey: number; ofAll: number }) {
  const concurrency = createConcurrency({ waitingBytesOfKey: MIB, ...bounds })
  const began: string[] = []
  const ends: (() => void)[] = []
  const run = async (key: string, name: string, { signal = never, bytes = 1 } = {}) =>
    concurrency.run(
      key,
      bytes,
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

test('acts of one key wait as long as their bytes fit, and those of another key have room of their own', async () => {
  const { run, began, end } = startActs({ ofKey: 1, waitingOfKey: 10, ofAll: 10 })
  const runs = [run('key', 'a'), run('key', 'b', { bytes: MIB - 1 }), run('key', 'c', { bytes: 1 })]
  expect(await rejectionOf(run('key', 'd', { bytes: 1 }))).toContain(
    'too many calls at once; 1 of this key are at work and 1 MiB of them wait: try again when some have ended',
  )
  const others = [run('other', 'e'), run('other', 'f', { bytes: MIB })]
  await end()
  runs.push(run('key', 'g', { bytes: 1 }))
  for (let time = 0; time < 5; time++) await end()
  await Promise.all([...runs, ...others])
  expect(began.join('')).toBe('aebfcg')
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
  const left = run('key', 'b', { signal: () => gone.signal })
  void run('key', 'c')
  gone.abort()
  expect(await rejectionOf(left)).toContain('the call was cancelled')
  expect(await rejectionOf(run('key', 'd', { signal: () => gone.signal }))).toContain('the call was cancelled')
  void run('key', 'e')
  for (let time = 0; time < 3; time++) await end()
  expect(began).toEqual(['a', 'c', 'e'])
  expect(concurrency.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('an act that throws or rejects leaves its place to the next', async () => {
  const concurrency = createConcurrency({ ofKey: 1, waitingOfKey: 1, waitingBytesOfKey: 1, ofAll: 1 })
  const fail = () => {
    throw new Error('at once')
  }
  expect(await rejectionOf(concurrency.run('key', 1, fail, never))).toContain('at once')
  expect(await rejectionOf(concurrency.run('key', 1, () => Promise.reject(new Error('later')), never))).toContain(
    'later',
  )
  expect(await concurrency.run('key', 1, async () => 'done', never)).toBe('done')
  expect(concurrency.counts()).toEqual({ atWork: 0, waiting: 0 })
})

/** A service of which a key has so many acts at work, as many as may be; they end with `letGo`. */
async function startBusy(which: 'memoryCalls' | 'forwardedCalls', ofKey: number) {
  const running = await startService()
  const { service, project } = running
  const keyId = (await service.store.control.list('keys', { projectId: project.id }))[0]?.id ?? ''
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const calls = service[which]
  const run = (bytes = 1) => calls.run(keyId, bytes, () => held, never)
  const atWork = Array.from({ length: ofKey }, () => run())
  const end = async () => {
    letGo()
    await Promise.all(atWork)
  }
  return { ...running, calls, run, end }
}

test('64 calls of a key are at work and 256 wait; a call beyond is refused, and another key is answered meanwhile', async () => {
  const { call, as, org, calls, run, end } = await startBusy('memoryCalls', 64)
  const other = await org.issueKey()
  const waiting = Array.from({ length: 254 }, () => run())
  const asked = [call('search', { query: '*' }), call('search', { query: '*' })]
  await waitUntil('256 calls wait', () => calls.counts().waiting === 256)
  expect(await call('search', { query: '*' })).toBeToolError(
    /^too many calls at once; 64 of this key are at work and 256 wait/,
  )
  expect(await as(other.secret).call('search', { query: '*' })).not.toBeToolError(/too many/)
  await end()
  await Promise.all(waiting)
  for (const answer of await Promise.all(asked)) expect(answer.text).not.toContain('too many')
  expect(calls.counts()).toEqual({ atWork: 0, waiting: 0 })
})

test('calls of a key with bodies of 16 MiB wait; one beyond is refused in the form of a tool error', async () => {
  const { post, calls, end } = await startBusy('memoryCalls', 64)
  const params = { name: 'search', arguments: { query: '*' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }).padEnd(MIB)
  const asked = Array.from({ length: 16 }, () => post(body))
  await waitUntil('16 calls wait', () => calls.counts().waiting === 16)
  const { body: refused } = await post(body)
  expect(refused?.result).toMatchObject({ isError: true })
  expect(JSON.stringify(refused)).toContain(
    'too many calls at once; 64 of this key are at work and 16 MiB of them wait: try again',
  )
  await end()
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
})

test('200 saves at once by one key are all kept', async () => {
  const { call, service, project } = await startService()
  const saves = await Promise.all(
    Array.from({ length: 200 }, (_, at) => call('remember', { content: `The pager of team ${at} is on shelf ${at}` })),
  )
  expect(saves.filter(({ isError }) => isError)).toEqual([])
  expect(await service.store.project(project.id).readUsage()).toMatchObject({ records: 200 })
})

test('of calls to other servers, 32 of a key are at work and 256 wait, and memory is not held up by them', async () => {
  const { call, calls, run, end } = await startBusy('forwardedCalls', 32)
  const args = { integration: 'wiki', tool: 'read' }
  const waiting = Array.from({ length: 254 }, () => run())
  const asked = [call('gateway_call', args), call('gateway_call', args)]
  await waitUntil('256 calls wait', () => calls.counts().waiting === 256)
  expect(await call('gateway_call', args)).toBeToolError(
    /^too many calls at once; 32 of this key are at work and 256 wait: try again/,
  )
  expect(await call('search', { query: '*' })).toBeToolError(/is not active/)
  await end()
  await Promise.all(waiting)
  for (const answer of await Promise.all(asked)) expect(answer).toBeToolError(/no integration 'wiki'/)
})

test('a call whose client hung up while it waited is never made', async () => {
  const { url, secret, call, calls, end } = await startBusy('memoryCalls', 64)
  const gone = new AbortController()
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const params = { name: 'remember', arguments: { content: 'never saved' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const posted = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: gone.signal }).catch(() => undefined)
  await waitUntil('the call waits', () => calls.counts().waiting === 1)
  gone.abort()
  await waitUntil('the call has given up its place', () => calls.counts().waiting === 0)
  await end()
  await posted
  expect(await call('search', { query: 'never saved' })).toBeToolError(/is not active/)
})

test('a call whose key is revoked while it waits is answered 401, and never made', async () => {
  const { service, project, org, as, call } = await startService()
  const { key, secret } = await org.issueKey()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const atWork = Array.from({ length: 64 }, () => service.memoryCalls.run(key.id, 1, () => held, never))
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
