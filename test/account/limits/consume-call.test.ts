import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Caller } from '../../../src/account/auth/caller.ts'
import { consumeCall } from '../../../src/account/limits/consume-call.ts'
import { createSlidingWindow, createSlidingWindows, WINDOW_MS } from '../../../src/account/limits/sliding-window.ts'
import { Refusal } from '../../../src/errors.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'

const KEY = 'MCP rate limit exceeded'
const PROJECT = 'project call limit exceeded'

/** A service whose account may make so many calls in 60 seconds. */
async function startLimited(limits: { key: number; project: number }) {
  const running = await startService()
  const commands = commandsBeside(running.service)
  await commands.json('account', 'limits', '--calls-per-key', `${limits.key}`, '--calls-per-project', `${limits.project}`)
  const listed = async () => (await running.call('search', { query: 'x' })).text
  await running.call('remember', { content: 'x' })
  running.pass(WINDOW_MS)
  return { ...running, ...commands, ask: listed }
}

test('refuses the call after the last place, and takes it exactly 60 seconds after the first', async () => {
  const { ask, call, pass } = await startLimited({ key: 2, project: 10 })
  await ask()
  pass(1_000)
  await ask()
  pass(58_999)
  expect(await call('search', { query: 'x' })).toBeToolError(`${KEY} (2 calls in 60 s); try again in 1 s`)
  pass(1)
  expect(await ask()).toStartWith('{')
  expect(await call('search', { query: 'x' })).toBeToolError(`${KEY} (2 calls in 60 s); try again in 1 s`)
})

test('gives a refused call no place in either window', async () => {
  const { ask, pass, json, project, as } = await startLimited({ key: 2, project: 3 })
  const other = as((await json<{ key: string }>('key', 'issue', '--project', project.id)).key)
  await ask()
  await ask()
  for (let i = 0; i < 5; i++) expect(await ask()).toContain(KEY)
  expect((await other.call('search', { query: 'x' })).isError).toBe(false)
  for (let i = 0; i < 5; i++) expect((await other.call('search', { query: 'x' })).text).toContain(PROJECT)
  pass(WINDOW_MS)
  expect((await other.call('search', { query: 'x' })).isError).toBe(false)
  expect((await other.call('search', { query: 'x' })).isError).toBe(false)
  expect((await other.call('search', { query: 'x' })).text).toContain(KEY)
})

test('counts no other method, and calls that fail', async () => {
  const { call, post } = await startLimited({ key: 2, project: 10 })
  for (let id = 0; id < 5; id++) expect((await post({ jsonrpc: '2.0', id, method: 'tools/list' })).status).toBe(200)
  expect(await call('remember', { content: '' })).toBeToolError('content must not be empty')
  expect(await call('remember', { content: '' })).toBeToolError('content must not be empty')
  expect((await call('remember', { content: '' })).text).toContain(KEY)
})

test('admits exactly so many of calls that come at once', async () => {
  const { ask } = await startLimited({ key: 20, project: 100 })
  const answers = await Promise.all(Array.from({ length: 60 }, ask))
  expect(answers.filter((text) => text.startsWith('{'))).toHaveLength(20)
  expect(answers.filter((text) => text.includes(KEY))).toHaveLength(40)
})

test('follows the operator at once in a running service', async () => {
  const { ask, json } = await startLimited({ key: 1, project: 10 })
  await ask()
  expect(await ask()).toContain(KEY)
  await json('account', 'limits', '--calls-per-key', '3')
  expect(await ask()).toStartWith('{')
  await json('account', 'limits', '--calls-per-key', 'plan')
  for (let i = 0; i < 5; i++) expect(await ask()).toStartWith('{')
})

const callerOf = (key: number, most = { callsPerKey: 2, callsPerProject: 1_000_000 }): Caller => ({
  accountId: 'a',
  account: {
    id: 'a',
    name: 'a',
    plan: 'free',
    limits: most,
    credentialPolicy: 'reject',
    subscribedAt: 0,
    subscribedUntil: null,
    suspendedAt: null,
    createdAt: 0,
  },
  projectId: 'p',
  keyId: `key ${key}`,
  memberId: undefined,
  authorId: `key ${key}`,
  departmentId: undefined,
  hosted: false,
  toolNames: 'dotted',
})

test('does not care about a wall clock that jumps', () => {
  const windows = createSlidingWindows()
  const time = { wall: 10_000_000, ticks: 0 }
  const clock = { now: () => time.wall, ticks: () => time.ticks }
  const take = () => consumeCall({ windows, clock }, callerOf(1))
  take()
  take()
  for (const jump of [-3_600_000, 7_200_000]) {
    time.wall += jump
    expect(take).toThrow(new Refusal(`${KEY} (2 calls in 60 s); try again in 60 s`))
  }
  time.ticks += WINDOW_MS
  take()
})

test('keeps 10 000 keys apart, and drops their windows once they are idle', () => {
  const windows = createSlidingWindows()
  const time = { ticks: 0 }
  const ctx = { windows, clock: { now: () => 0, ticks: () => time.ticks } }
  for (let key = 0; key < 10_000; key++) {
    consumeCall(ctx, callerOf(key))
    consumeCall(ctx, callerOf(key))
  }
  expect(windows.size()).toBe(10_001)
  for (let key = 0; key < 10_000; key += 999) expect(() => consumeCall(ctx, callerOf(key))).toThrow(KEY)
  time.ticks += WINDOW_MS
  consumeCall(ctx, callerOf(0))
  expect(windows.size()).toBe(2)
})

test('admits exactly what counting every call of the last 60 seconds would admit', () => {
  const step = fc.record({
    pause: fc.oneof(fc.constant(0), fc.nat(5_000), fc.constantFrom(WINDOW_MS - 1, WINDOW_MS)),
    tries: fc.integer({ min: 1, max: 12 }),
  })
  const property = fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
    const window = createSlidingWindow()
    const calls: number[] = []
    let now = 0
    for (const { pause, tries } of steps) {
      now += pause
      for (let i = 0; i < tries; i++) {
        const recent = calls.filter((at) => at > now - WINDOW_MS)
        expect(window.count(now)).toBe(recent.length)
        if (recent.length < most) {
          window.add(now)
          calls.push(now)
        } else expect(window.untilFree(now)).toBe((recent[0] ?? 0) + WINDOW_MS - now)
      }
    }
  })
  fc.assert(property, { numRuns: 300 })
})
