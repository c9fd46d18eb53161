import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/clock.ts'
import type { Integrations, Tool } from '../../../src/mcp/catalogue.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'

/** One tool of an integration, read-only as all that are listed. */
const listed = JSON.stringify({ name: 'host.get_me', inputSchema: { type: 'object' } })
const getMe: Tool = {
  name: 'host.get_me',
  access: 'gateway',
  listed: { keyed: listed, hosted: listed },
  readArguments: (args) => args,
  run: async () => ({
    forwarded: { text: JSON.stringify({ content: [{ type: 'text', text: 'me' }], isError: false }) },
  }),
}
const integrations: Integrations = {
  list: async () => [listed],
  find: async (_caller, name) => (name === getMe.name ? getMe : undefined),
}

const CALLS: [string, Record<string, unknown>][] = [
  ['remember', { content: 'kept' }],
  ['search', { query: 'kept' }],
  ['validate_memory', { source_id: 's' }],
  ['forget', { source_id: 's' }],
  ['gateway_call', { integration: 'nobody', tool: 'x' }],
  ['host.get_me', {}],
]

const ACTIVE = Object.fromEntries(CALLS.map(([tool]) => [tool, 'works']))
const READ_ONLY =
  "[Service Notice]: The account's subscription has expired. Memory is read-only during the grace period"
const NONE = '[Service Notice]: This account has no active subscription'
const SUSPENDED = '[Service Notice]: This account is suspended because its subscription expired'
const all = (notice: string) => Object.fromEntries(CALLS.map(([tool]) => [tool, notice]))

/** Each tool's answer: that it works, or the notice it gives up to what it advises. */
async function startAsked() {
  const running = await startService({ integrations })
  const { call, post } = running
  await call('remember', { content: 'of a source', source_id: 's' })
  async function askAll(): Promise<Record<string, string>> {
    const answers: Record<string, string> = {}
    for (const [tool, args] of CALLS) {
      const { text, isError } = await call(tool, args)
      const notice = [READ_ONLY, NONE, SUSPENDED].find((beginning) => text.startsWith(beginning))
      answers[tool] = notice ?? (isError && tool !== 'gateway_call' ? text : 'works')
      if (notice !== undefined) expect(isError).toBe(true)
    }
    const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(status).toBe(200)
    expect(body?.result?.tools).toHaveLength(6)
    return answers
  }
  return { ...running, ...commandsBeside(running.service), askAll }
}

test('active: everything works', async () => {
  const { askAll } = await startAsked()
  expect(await askAll()).toEqual(ACTIVE)
})

test('none: every call answers the notice, and the list works', async () => {
  const { askAll, json } = await startAsked()
  await json('subscription', 'none')
  expect(await askAll()).toEqual(all(NONE))
})

test('grace: reads and the gateway work, saving and deleting answer the notice', async () => {
  const { askAll, json } = await startAsked()
  await json('subscription', 'end')
  expect(await askAll()).toEqual({ ...ACTIVE, remember: READ_ONLY, forget: READ_ONLY })
})

test('suspended: every call answers the notice, the list works, and nothing is lost', async () => {
  const { askAll, json, pass } = await startAsked()
  await json('subscription', 'end')
  pass(14 * DAY_MS)
  expect(await askAll()).toEqual(all(SUSPENDED))
  await json('subscription', 'set', '--plan', 'team')
  expect(await askAll()).toEqual(ACTIVE)
})

test('changes state on the millisecond of its dates, by nothing but the time', async () => {
  const { json, call, pass } = await startAsked()
  await json('subscription', 'set', '--until', '2026-01-16T12:00:00Z')
  const isNotice = async (tool: string, args: object) =>
    (await call(tool, { ...args })).text.startsWith('[Service Notice]')
  pass(DAY_MS - 1)
  expect(await isNotice('remember', { content: 'kept' })).toBe(false)
  pass(1)
  expect(await isNotice('remember', { content: 'kept' })).toBe(true)
  pass(14 * DAY_MS - 1)
  expect(await isNotice('search', { query: 'kept' })).toBe(false)
  pass(1)
  expect(await isNotice('search', { query: 'kept' })).toBe(true)
})

test('says what to do after the contract’s words', async () => {
  const { json, call } = await startAsked()
  await json('subscription', 'none')
  expect((await call('search', { query: 'x' })).text).toBe(
    `${NONE}. Memory is unavailable until the owner subscribes to a plan.`,
  )
})

test('answers the notice after the windows and before the arguments', async () => {
  const { json, call } = await startAsked()
  await json('subscription', 'none')
  expect((await call('search', { wrong: 1 })).text).toStartWith(NONE)
  await json('account', 'limits', '--calls-per-key', '1')
  expect((await call('search', { query: 'x' })).text).toContain('MCP rate limit exceeded')
})

test('an account the operator suspends is 401 at once, and as it was when it is resumed', async () => {
  const { json, post, call } = await startAsked()
  await json('account', 'suspend', 'default')
  const { status, headers } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect({ status, challenge: headers.get('www-authenticate') }).toEqual({ status: 401, challenge: 'Bearer' })
  await json('account', 'resume', 'default')
  expect((await call('search', { query: 'source' })).isError).toBe(false)
})
