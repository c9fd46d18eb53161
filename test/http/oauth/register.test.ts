import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../src/clock.ts'
import { StorageRefusal } from '../../../src/errors.ts'
import { keepNewest, purgeConnected } from '../../../src/oauth/client.ts'
import { openService } from '../../../src/service.ts'
import { startService } from '../../start-service.ts'
import { CALLBACK, connectTo, makePkce } from './flow.ts'

async function startRegistering() {
  const running = await startService()
  return { ...running, ...connectTo(running.url) }
}

test('registers a public client, without a secret and without nulls', async () => {
  const { register, service } = await startRegistering()
  const { status, headers, body } = await register({
    grant_types: ['authorization_code', 'refresh_token'],
    client_uri: null,
    logo_uri: null,
  })
  expect(status).toBe(201)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    client_id: expect.any(String),
    client_id_issued_at: Math.floor(service.clock.now() / 1000),
    client_name: 'Assistant',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'memory',
  })
})

test('answers 503 while the disk is full, since the client is not at fault and may try again', async () => {
  const { register, service } = await startRegistering()
  const { store } = service
  const write = () => Promise.reject(new StorageRefusal('the disk is full', 'ENOSPC'))
  service.store = { ...store, control: { ...store.control, write } }
  const { status, body } = await register()
  service.store = store
  expect([status, body.error]).toEqual([503, 'the disk is full; nothing was saved'])
})

test('gives a secret to a client that wants one, and to one that says nothing, and keeps it hashed', async () => {
  const { register, service } = await startRegistering()
  const { body } = await register({ token_endpoint_auth_method: undefined })
  expect(body).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', client_secret_expires_at: 0 })
  const kept = await service.store.control.find('oauthClients', { id: body.client_id })
  expect(JSON.stringify(kept)).not.toContain(String(body.client_secret))
})

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'https://chatgpt.com/connector/oauth/abc',
  'https://global.consent.azure-apim.net/redirect/memory-5f?x=1',
  'http://localhost:6274/oauth/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/callback',
])('lets an application be returned to at %s', async (uri) => {
  const { register } = await startRegistering()
  expect((await register({ redirect_uris: [uri] })).body.redirect_uris).toEqual([uri])
})

test.each([
  'http://assistant.example/callback',
  'http://localhost.evil.example/callback',
  'http://127.0.0.1@evil.example/',
  'https://user:word@assistant.example/callback',
  'https://@evil.example/',
  'https://assistant.example/callback#there',
  'https://assistant.example\\@evil.example/',
  'HTTPS://assistant.example/callback',
  'https://Assistant.example/callback',
  'https:/assistant.example',
  'https://assistant.example/a b',
  'https://assistant.example/\r\nset-cookie: a=b',
  'javascript:alert(1)',
  'javascript://assistant.example/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'intent://scan#Intent;end',
  'ms-settings:/x',
  '/callback',
  '',
  `https://assistant.example/${'x'.repeat(2048)}`,
])('refuses an application that wants people returned to %p', async (uri) => {
  const { register } = await startRegistering()
  expect(await register({ redirect_uris: [CALLBACK, uri] })).toMatchObject({
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  })
})

test.each([
  ['no redirect URIs', { redirect_uris: undefined }],
  ['an empty list of them', { redirect_uris: [] }],
  ['too many of them', { redirect_uris: Array.from({ length: 21 }, (_, at) => `${CALLBACK}/${at}`) }],
  ['one that is no text', { redirect_uris: [7] }],
  ['a name that is no text', { client_name: { en: 'x' } }],
  ['a grant we do not give', { grant_types: ['client_credentials'] }],
  ['a response we do not give', { response_types: ['token'] }],
  ['a way to authenticate we do not know', { token_endpoint_auth_method: 'private_key_jwt' }],
])('refuses an application with %s', async (_, change) => {
  const { register } = await startRegistering()
  expect(await register(change)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } })
})

test('wants JSON of at most 32 KiB', async () => {
  const { url, register } = await startRegistering()
  const post = async (body: string, type = 'application/json') =>
    (await (
      await fetch(`${url}/oauth/register`, { method: 'POST', body, headers: { 'content-type': type } })
    ).json()) as { error: string }
  expect((await post('{')).error).toBe('invalid_client_metadata')
  expect((await post('[]')).error).toBe('invalid_client_metadata')
  expect((await post('{}', 'text/plain')).error).toBe('invalid_request')
  expect((await register({ software_statement: 'x'.repeat(40_000) })).body).toMatchObject({ error: 'invalid_request' })
})

test('survives a restart', async () => {
  const { register, service } = await startRegistering()
  const { client_id } = (await register()).body
  const again = await openService(service)
  expect(await again.store.control.find('oauthClients', { id: client_id })).toMatchObject({
    id: client_id,
    redirectUris: [CALLBACK],
  })
  await again.close()
})

test('forgets an application a day after it registered if nobody connected it, else 90 days after its last use, and tells it so', async () => {
  const { register, visit, connect, secret, pass, service } = await startRegistering()
  const unused = (await register()).body.client_id
  const used = await connect(secret)
  const open = async (client_id: string) => (await visit({ client_id, code_challenge: makePkce().challenge })).status
  pass(DAY_MS - 1)
  expect([await open(unused), await open(used.client_id)]).toEqual([200, 200])
  pass(1)
  expect([await open(unused), await open(used.client_id)]).toEqual([400, 200])
  await purgeConnected(service, () => false, service.clock.now())
  expect(await service.store.control.find('oauthClients', { id: unused })).toBeUndefined()
  pass(89 * DAY_MS - 1)
  expect(await open(used.client_id)).toBe(200)
  pass(1)
  expect(await open(used.client_id)).toBe(400)
})

test('applications and connections outlast a clock that is a year ahead for a while, whoever connects meanwhile', async () => {
  const { register, visit, connect, secret, pass, service } = await startRegistering()
  const { client_id } = await connect(secret)
  pass(365 * DAY_MS)
  await register()
  await connect(secret)
  pass(-365 * DAY_MS)
  expect((await visit({ client_id, code_challenge: makePkce().challenge })).status).toBe(200)
  expect(await service.store.control.count('connections', {})).toBe(2)
})

test('lets one address register 20 times a minute', async () => {
  const { register, pass } = await startRegistering()
  for (let time = 0; time < 20; time++) expect((await register()).status).toBe(201)
  const refused = await register()
  expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('60')
  pass(60_000)
  expect((await register()).status).toBe(201)
})

test('lets 200 register a minute, from wherever they say they come', async () => {
  const { register } = await startRegistering()
  const from = (at: number) => register({}, { 'x-forwarded-for': `203.0.113.${at % 20}` })
  const answers = await Promise.all(Array.from({ length: 201 }, (_, at) => from(at)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(200)
})

test('keeps only the newest of many applications that were never used', async () => {
  const { service } = await startRegistering()
  const client = { kind: 'registration' as const, name: '', redirectUris: [CALLBACK], secretDigest: null, usedAt: null }
  await service.store.control.write(async (tx) => {
    for (let at = 1; at <= 5; at++) await tx.save('oauthClients', { ...client, id: `c${at}`, readAt: at })
    await tx.save('oauthClients', { ...client, id: 'used', readAt: 0, usedAt: 1 })
    await keepNewest(tx, 3)
  })
  const left = await Promise.all(
    ['c1', 'c2', 'c3', 'c4', 'c5', 'used'].map((id) => service.store.control.find('oauthClients', { id })),
  )
  expect(left.map((found) => found?.id)).toEqual([undefined, undefined, 'c3', 'c4', 'c5', 'used'])
})
