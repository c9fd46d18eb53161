import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/key.ts'
import { DAY_MS } from '../../src/clock.ts'
import { VERSION } from '../../src/version.ts'
import { startEndpoint, UNKNOWN_KEY } from '../agent/start-agent.ts'
import { commandsBeside } from '../command-line.ts'
import { runCommand } from '../run-cli.ts'
import { startService } from '../start-service.ts'

const random = { uuid: () => '', bytes: () => new Uint8Array() }
const clock = { now: () => Date.UTC(2026, 0, 15, 12), ticks: () => 0 }

const status = (environment: Record<string, string>, ...words: string[]) =>
  runCommand({ environment, clock, random }, ['status', ...words])

test('says that the key is accepted, of which project it is, and how the account stands', async () => {
  const { url, secret, service } = await startService()
  await commandsBeside(service).json('subscription', 'set', '--plan', 'team', '--until', '2026-02-14')
  const { status: exit, out, err } = await status({ SVC_ENDPOINT: `${url}/mcp`, SVC_API_KEY: secret })
  expect([exit, err]).toEqual([0, ''])
  expect(out.split('\n')).toEqual([
    `Endpoint      ${url} · answers in 0 ms`,
    `Key           svc_${secret.slice(4, 12)}… accepted · First key · never expires`,
    'Project       default · account default',
    'Tools         5, and memsvc_sync_status of the agent',
    'Subscription  active · until 2026-02-14 (30 days)',
    `Versions      agent ${VERSION} · service 0.0.0 · they differ: update the older one`,
    'Histories     not uploaded',
    '',
  ])
  expect(out + err).not.toContain(secret)
})

test('reading the state of uploads does not count as the time that the service takes', async () => {
  const { url, secret } = await startService()
  let ticks = 0
  const now = () => {
    ticks += 700
    return clock.now()
  }
  const environment = { SVC_ENDPOINT: url, SVC_API_KEY: secret }
  const { out } = await runCommand({ environment, clock: { now, ticks: () => ticks }, random }, ['status'])
  expect(out).toContain('answers in 0 ms')
})

test('prints one JSON value, whether or not it went well', async () => {
  const { url, secret, pass } = await startService()
  pass(DAY_MS)
  const well = await status({ SVC_ENDPOINT: url, SVC_API_KEY: secret }, '--json')
  expect(JSON.parse(well.out)).toMatchObject({
    endpoint: url,
    reachable: true,
    key: 'accepted',
    info: { project: 'default', tools: 5 },
    error: null,
  })
  const badly = await status({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY }, '--json')
  expect(JSON.parse(badly.out)).toMatchObject({
    reachable: true,
    key: 'rejected',
    info: null,
    error: { code: 'key_rejected' },
  })
})

test('ends with 3 where the key is rejected', async () => {
  const { url, secret, service, key } = await startService()
  await revokeKey(service, COMMAND_LINE, key)
  const { status: exit, out, err } = await status({ SVC_ENDPOINT: url, SVC_API_KEY: secret })
  expect([exit, out]).toEqual([3, expect.stringContaining('Key           rejected')])
  expect(err).toStartWith('memsvc: The API key was rejected (HTTP 401).')
})

test.each([
  ['no key', {}, 'SVC_API_KEY is not set'],
  ['a key that is cut off', { SVC_API_KEY: UNKNOWN_KEY.slice(0, 30) }, 'is cut off: it has 30 of 40 characters'],
  [
    'an endpoint in the clear on another machine',
    { SVC_ENDPOINT: 'http://memory.example', SVC_API_KEY: UNKNOWN_KEY },
    'must begin with https://',
  ],
  [
    'an endpoint that is none',
    { SVC_ENDPOINT: 'memory.example', SVC_API_KEY: UNKNOWN_KEY },
    'must be a URL such as https://memory.example',
  ],
])('ends with 2 and asks nobody: %s', async (_what, environment, text) => {
  const { url, heard } = startEndpoint(() => new Response('{}'))
  const { status: exit, err } = await status({ SVC_ENDPOINT: url, ...environment })
  expect([exit, err]).toEqual([2, expect.stringContaining(text)])
  expect(heard).toEqual([])
})

test('ends with 4 where nothing answers, or something else does', async () => {
  const { url, stop } = startEndpoint(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }))
  const page = await status({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY })
  expect([page.status, page.err]).toEqual([
    4,
    expect.stringContaining('What answered is not the service (HTTP 200, text/html)'),
  ])
  await stop()
  const nothing = await status({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY })
  expect([nothing.status, nothing.err]).toEqual([4, expect.stringContaining('cannot be reached (ECONNREFUSED)')])
})

test('is also there as a part of the agent, which itself is not for people to type into', async () => {
  const { url, secret } = await startService()
  const base = { environment: { SVC_ENDPOINT: url, SVC_API_KEY: secret }, clock, random }
  expect((await runCommand(base, ['agent', 'status'])).out).toContain('accepted')
  const typed = await runCommand(base, ['agent'], { isInputTerminal: true })
  expect([typed.status, typed.err]).toEqual([2, expect.stringContaining("run 'memsvc status'")])
})
