import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/key.ts'
import { DAY_MS } from '../../src/clock.ts'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'
import { connectTo } from './oauth/flow.ts'

type Read = { status: number; headers: Headers; body: Record<string, unknown> }

async function readKeyInfo(url: string, headers: Record<string, string>): Promise<Read> {
  const response = await fetch(`${url}/v1/key`, { headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

test('says what a key opens, until when, and what the service is', async () => {
  const { url, service, project, account } = await startService()
  const { key } = await commandsBeside(service).json<{ key: string }>(
    ...['key', 'issue', '--project', 'default', '--label', 'laptop', '--expires', '2026-03-01'],
  )
  const { status, headers, body } = await readKeyInfo(url, { authorization: `Bearer ${key}` })
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(body).toEqual({
    service_version: '0.0.0',
    api_version: '1.0',
    tenant_id: account.id,
    account: account.name,
    project_id: project.id,
    project: 'default',
    holder_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    holder_kind: 'service key',
    holder: 'laptop',
    holder_keys: 1,
    key: key.slice(4, 12),
    key_label: 'laptop',
    key_expires_at: '2026-03-01T00:00:00.000Z',
    subscription: 'active',
    subscription_until: null,
    tools: 5,
    server_time: '2026-01-15T12:00:00.000Z',
  })
})

test('counts the tools of integrations, as tools/list has them', async () => {
  const listed = ['{"name":"hub.echo"}', '{"name":"hub.get"}']
  const integrations = { list: async () => listed, find: async () => undefined }
  const { url, secret } = await startService({ integrations })
  expect((await readKeyInfo(url, { authorization: `Bearer ${secret}` })).body.tools).toBe(7)
})

test('follows the subscription of the account', async () => {
  const { url, secret, service, pass } = await startService()
  await commandsBeside(service).json('subscription', 'set', '--plan', 'team', '--until', '2026-01-20')
  pass(10 * DAY_MS)
  const { body } = await readKeyInfo(url, { authorization: `Bearer ${secret}` })
  expect(body).toMatchObject({ subscription: 'grace', subscription_until: '2026-01-20T00:00:00.000Z' })
})

test('checks the key as the endpoint does', async () => {
  const { url, secret, service, key } = await startService()
  for (const authorization of [
    '',
    'Bearer',
    secret,
    `bearer ${secret}`,
    `Bearer  ${secret}`,
    `Bearer ${secret.slice(0, -1)}`,
  ]) {
    const { status, headers } = await readKeyInfo(url, { authorization })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  }
  await revokeKey(service, COMMAND_LINE, key)
  expect((await readKeyInfo(url, { authorization: `Bearer ${secret}` })).status).toBe(401)
})

test('tells nothing to an OAuth token, and nothing to a page of another site', async () => {
  const { url, secret } = await startService()
  const { token } = await connectTo(url).connect(secret)
  const refused = await readKeyInfo(url, { authorization: `Bearer ${token}` })
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect((await readKeyInfo(url, { authorization: `Bearer ${secret}`, origin: 'https://evil.example' })).status).toBe(
    403,
  )
})

test('takes no place in the windows of calls, and is bounded by that of other messages', async () => {
  const { url, secret, call, service } = await startService()
  await commandsBeside(service).json('subscription', 'set', '--plan', 'free')
  const read = () => readKeyInfo(url, { authorization: `Bearer ${secret}` })
  for (let time = 0; time < 600; time++) expect((await read()).status).toBe(200)
  const refused = await read()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  await call('remember', { content: 'Releases are cut on Tuesdays' })
  for (let time = 0; time < 59; time++)
    expect(await call('search', { query: 'release' })).toMatchObject({ isError: false })
})
