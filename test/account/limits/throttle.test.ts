import { expect, test } from 'bun:test'
import type { Caller } from '../../../src/account/auth/caller.ts'
import { consumeCall } from '../../../src/account/limits/throttle.ts'
import { createWindows } from '../../../src/store/sqlite/sliding-window.ts'
import { WINDOW_MS } from '../../../src/store/windows.ts'
import { commandsBeside } from '../../command-line.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

const KEY = 'MCP rate limit exceeded'
const PROJECT = 'project call limit exceeded'

/** A service whose account may make so many calls in 60 seconds. */
async function startLimited(limits: { key: number; project: number }) {
  const running = await startService()
  const commands = commandsBeside(running.service)
  await commands.json(
    'account',
    'limits',
    '--calls-per-key',
    `${limits.key}`,
    '--calls-per-project',
    `${limits.project}`,
  )
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
    markedPolicy: 'caution',
    subscribedAt: 0,
    subscribedUntil: null,
    suspendedAt: null,
    removedAt: null,
    createdAt: 0,
  },
  projectId: 'p',
  keyId: `key ${key}`,
  memberId: undefined,
  authorId: `key ${key}`,
  departmentId: undefined,
  hosted: false,
  readsHistories: true,
  toolNames: 'dotted',
  keepsQuestions: false,
})

test('does not care about a wall clock that jumps', async () => {
  const time = { wall: 10_000_000, ticks: 0 }
  const ctx = { store: { windows: createWindows() }, clock: { now: () => time.wall, ticks: () => time.ticks } }
  const take = () => consumeCall(ctx, callerOf(1))
  await take()
  await take()
  for (const jump of [-3_600_000, 7_200_000]) {
    time.wall += jump
    expect(await rejectionOf(take())).toBe(`${KEY} (2 calls in 60 s); try again in 60 s`)
  }
  time.ticks += WINDOW_MS
  await take()
})

test('keeps 10 000 keys apart, and drops their windows once they are idle', async () => {
  const windows = createWindows()
  const time = { ticks: 0 }
  const ctx = { store: { windows }, clock: { now: () => 0, ticks: () => time.ticks } }
  for (let key = 0; key < 10_000; key++) {
    await consumeCall(ctx, callerOf(key))
    await consumeCall(ctx, callerOf(key))
  }
  expect(windows.size()).toBe(10_001)
  for (let key = 0; key < 10_000; key += 999) expect(await rejectionOf(consumeCall(ctx, callerOf(key)))).toContain(KEY)
  time.ticks += WINDOW_MS
  await consumeCall(ctx, callerOf(0))
  expect(windows.size()).toBe(2)
})
