import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { revokeKey } from '../../../src/account/keys/key.ts'
import { writeUses } from '../../../src/account/upkeep.ts'
import { startService } from '../../start-service.ts'
import { CALLBACK, connectTo, makePkce } from './flow.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function startFlow() {
  const running = await startService()
  const flow = connectTo(running.url)
  const { client_id } = (await flow.register()).body
  const { verifier, challenge } = makePkce()
  const asked = { client_id, code_challenge: challenge }

  /** A code that has just been given, with all that a token takes. */
  async function giveCode(parameters: Record<string, string | undefined> = {}) {
    const back = await flow.allow(flow.toAuthorizeUrl({ ...asked, ...parameters }), running.secret)
    return { client_id, code: back.searchParams.get('code') ?? '', code_verifier: verifier }
  }

  return { ...running, ...flow, client_id, verifier, asked, giveCode }
}

test('turns a code into an opaque token of 30 days, kept by nobody on the way', async () => {
  const { giveCode, redeem } = await startFlow()
  const { status, headers, body } = await redeem(await giveCode())
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toEqual({
    access_token: expect.stringMatching(/^svo_[A-Za-z0-9_-]{43}$/),
    token_type: 'Bearer',
    expires_in: 2_592_000,
    scope: 'memory',
  })
})

test('keeps neither the token, nor the code, nor the key', async () => {
  const { giveCode, redeem, service, secret, as } = await startFlow()
  const given = await giveCode()
  const { access_token } = (await redeem(given)).body
  expect((await as(String(access_token)).post(list)).status).toBe(200)
  const kept = JSON.stringify([
    await service.store.control.listConnections({}),
    await service.store.control.listAudit({ limit: 10 }),
  ])
  for (const word of [String(access_token), given.code, secret]) expect(kept).not.toContain(word)
})

test('sends the person back with the code, the state as it came, and the issuer', async () => {
  const { allow, toAuthorizeUrl, asked, secret, url } = await startFlow()
  const state = 'a b&c=d"<é>'
  const back = await allow(toAuthorizeUrl({ ...asked, state }), secret)
  expect(back.origin + back.pathname).toBe(CALLBACK)
  expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state, iss: url })
})

test('takes a code once; a second use ends the token of the first', async () => {
  const { giveCode, redeem, as, service, owner } = await startFlow()
  const given = await giveCode()
  const first = await redeem(given)
  const token = as(String(first.body.access_token))
  expect((await token.post(list)).status).toBe(200)
  expect(await redeem(given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await token.post(list)).status).toBe(401)
  const lines = await service.store.control.listAudit({ limit: 9 })
  expect(lines.filter(({ act }) => act.startsWith('connection.'))).toMatchObject([
    { act: 'connection.revoke', actor: 'unknown', details: { reason: 'code used twice', application: 'Assistant' } },
    { act: 'connection.open', actor: `member:${owner.id}`, via: '127.0.0.1' },
  ])
})

test('gives one token for a code that is presented many times at once, and ends it', async () => {
  const { giveCode, redeem, as } = await startFlow()
  const given = await giveCode()
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(given)))
  const [won, ...others] = answers.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  expect((await as(String(won?.body.access_token)).post(list)).status).toBe(401)
})

test('refuses a code after 60 seconds', async () => {
  const { giveCode, redeem, pass } = await startFlow()
  const early = await giveCode()
  pass(MINUTE - 1)
  expect((await redeem(early)).status).toBe(200)
  const late = await giveCode()
  pass(MINUTE)
  expect(await redeem(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test.each([
  [
    'the code of another client',
    async ({ register }) => ({ client_id: (await register()).body.client_id }),
    'invalid_grant',
  ],
  ['a wrong verifier', async () => ({ code_verifier: makePkce().verifier }), 'invalid_grant'],
  ['the challenge for a verifier', async ({ asked }) => ({ code_verifier: asked.code_challenge }), 'invalid_grant'],
  ['no verifier', async () => ({ code_verifier: '' }), 'invalid_grant'],
  ['another redirect', async () => ({ redirect_uri: `${CALLBACK}/x` }), 'invalid_grant'],
  ['no redirect', async () => ({ redirect_uri: '' }), 'invalid_grant'],
  ['another resource', async () => ({ resource: 'https://other.example/mcp' }), 'invalid_target'],
  ['a resource of the same site', async ({ url }) => ({ resource: `${url}/mcp/x` }), 'invalid_target'],
  ['another kind of grant', async () => ({ grant_type: 'refresh_token' }), 'unsupported_grant_type'],
  ['a code that never was', async () => ({ code: 'x'.repeat(43) }), 'invalid_grant'],
  ['no code', async () => ({ code: '' }), 'invalid_request'],
] as [string, (flow: Awaited<ReturnType<typeof startFlow>>) => Promise<Record<string, string>>, string][])(
  'refuses %s',
  async (_, change, error) => {
    const flow = await startFlow()
    const answer = await flow.redeem({ ...(await flow.giveCode()), ...(await change(flow)) })
    expect(answer).toMatchObject({ status: 400, body: { error } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  },
)

test('uses a code up at the first wrong verifier, so that none can be tried out', async () => {
  const { giveCode, redeem } = await startFlow()
  const given = await giveCode()
  await redeem({ ...given, code_verifier: makePkce().verifier })
  expect(await redeem(given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('binds the token to the resource, named or not, in whatever case and with a slash', async () => {
  const { giveCode, redeem, url, service } = await startFlow()
  const resource = `${url}/mcp`
  await redeem(await giveCode())
  await redeem({ ...(await giveCode({ resource })), resource })
  await redeem({ ...(await giveCode({ resource: `${url.toUpperCase()}/mcp/` })), resource })
  const bound = (await service.store.control.listConnections({})).map(({ connection }) => connection.resource)
  expect(bound).toEqual([resource, resource, resource])
})

test('a token opens no other service that shares its data', async () => {
  const { connect, secret, as, service } = await startFlow()
  const { token } = await connect(secret)
  service.config.publicUrl = 'https://other.example'
  expect((await as(token).post(list)).status).toBe(401)
})

test('wants a form of at most 32 KiB, and no parameter twice', async () => {
  const { url, giveCode, redeem, post } = await startFlow()
  const json = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(await json.json()).toMatchObject({ error: 'invalid_request' })
  expect((await redeem({ ...(await giveCode()), padding: 'x'.repeat(40_000) })).body).toMatchObject({
    error: 'invalid_request',
  })
  const form = new URLSearchParams({ grant_type: 'authorization_code', ...(await giveCode()) })
  form.append('code', 'another')
  const twice = await fetch(`${url}/oauth/token`, { method: 'POST', body: form })
  expect(await twice.json()).toMatchObject({
    error: 'invalid_request',
    error_description: 'code is sent more than once',
  })
  expect((await post('/oauth/token?grant_type=authorization_code', {})).status).toBe(400)
})

test('tells an unknown client to register again', async () => {
  const { giveCode, redeem } = await startFlow()
  const unknown = await redeem({ ...(await giveCode()), client_id: 'nobody' })
  expect(unknown).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  const basic = await redeem(await giveCode(), { authorization: `Basic ${btoa('nobody:x')}` })
  expect(basic.status).toBe(401)
  expect(basic.headers.get('www-authenticate')).toBe('Basic realm="memsvc"')
})

test('takes the secret of a client that has one by Basic or in the form, and nothing without it', async () => {
  const { register, allow, toAuthorizeUrl, redeem, secret } = await startFlow()
  const { body } = await register({ token_endpoint_auth_method: 'client_secret_post' })
  const { client_id, client_secret } = body as { client_id: string; client_secret: string }
  const { verifier, challenge } = makePkce()
  const give = async () => {
    const back = await allow(toAuthorizeUrl({ client_id, code_challenge: challenge }), secret)
    return { code: back.searchParams.get('code') ?? '', code_verifier: verifier }
  }
  expect((await redeem({ ...(await give()), client_id, client_secret })).status).toBe(200)
  expect((await redeem(await give(), { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` })).status).toBe(
    200,
  )
  expect((await redeem({ ...(await give()), client_id })).body).toMatchObject({ error: 'invalid_client' })
  expect((await redeem({ ...(await give()), client_id, client_secret: 'wrong' })).body).toMatchObject({
    error: 'invalid_client',
  })
  const both = await redeem(
    { ...(await give()), client_secret },
    { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
  )
  expect(both.body).toMatchObject({ error: 'invalid_request' })
})

test('a token dies after 30 days, and says so with the metadata by which to come back', async () => {
  const { connect, secret, as, pass, url } = await startFlow()
  const { token } = await connect(secret)
  pass(30 * DAY - 1)
  expect((await as(token).post(list)).status).toBe(200)
  pass(1)
  const { status, headers } = await as(token).post(list)
  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
  )
})

test.each([
  ['is revoked', async ({ service, key }) => revokeKey(service, COMMAND_LINE, key)],
  [
    'expires',
    async ({ service, key }) =>
      service.store.control.write((tx) => tx.update('keys', { id: key.id }, { expiresAt: service.clock.now() })),
  ],
  [
    'loses its member',
    async ({ service, owner }) =>
      service.store.control.write((tx) => tx.update('members', { id: owner.id }, { removedAt: 1 })),
  ],
  [
    'loses its project',
    async ({ service, project }) =>
      service.store.control.write((tx) => tx.update('projects', { id: project.id }, { removedAt: 1 })),
  ],
  [
    'loses its account',
    async ({ service, account }) =>
      service.store.control.write((tx) => tx.update('accounts', { id: account.id }, { suspendedAt: 1 })),
  ],
] as [string, (flow: Awaited<ReturnType<typeof startFlow>>) => Promise<void>][])(
  'a token dies at the next call when its key %s, and no code of it can be redeemed',
  async (_, end) => {
    const flow = await startFlow()
    const { token } = await flow.connect(flow.secret)
    const given = await flow.giveCode()
    expect((await flow.as(token).post(list)).status).toBe(200)
    await end(flow)
    const { status, headers } = await flow.as(token).post(list)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('resource_metadata=')
    expect((await flow.redeem(given)).body).toMatchObject({ error: 'invalid_grant' })
  },
)

test('ends with the key when that ends sooner', async () => {
  const { giveCode, redeem, service, key } = await startFlow()
  await service.store.control.write((tx) => tx.update('keys', { id: key.id }, { expiresAt: service.clock.now() + DAY }))
  expect((await redeem(await giveCode())).body.expires_in).toBe(86_400)
})

test('is not let in by a token in the query string', async () => {
  const { connect, secret, url } = await startFlow()
  const { token } = await connect(secret)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetch(`${url}/mcp?access_token=${token}`, {
    method: 'POST',
    body: JSON.stringify(list),
    headers,
  })
  expect(response.status).toBe(401)
})

test('takes a token back from its own client only, and says nothing of any other', async () => {
  const { connect, register, secret, as, post } = await startFlow()
  const { token, client_id } = await connect(secret)
  const other = (await register()).body.client_id
  expect((await post('/oauth/revoke', { token, client_id: other })).status).toBe(200)
  expect((await as(token).post(list)).status).toBe(200)
  expect((await post('/oauth/revoke', { token: 'svo_unknown', client_id })).status).toBe(200)
  expect((await post('/oauth/revoke', { token, client_id: 'nobody' })).status).toBe(401)
  const taken = await post('/oauth/revoke', { token, client_id })
  expect([taken.status, taken.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect((await as(token).post(list)).status).toBe(401)
})

test('gives the memory tools only, and tells nothing of account, project and version', async () => {
  const { connect, secret, as, call } = await startFlow()
  const hosted = as((await connect(secret)).token)
  const { body } = await hosted.post(list)
  const tools = body?.result?.tools as { name: string }[]
  expect(tools.map(({ name }) => name)).toEqual(['remember', 'search', 'forget', 'validate_memory'])
  for (const name of ['gateway_call', 'hub.echo', 'hub__echo']) {
    const called = await hosted.post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } })
    expect(called.body?.error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` })
  }
  await hosted.call('remember', { content: 'The release train leaves on Tuesdays' })
  const found = await hosted.call('search', { query: 'release train' })
  expect(found.structured?.result).toBeArrayOfSize(1)
  expect(found.text).not.toMatch(/tenant_id|project_id|api_version/)
  expect((await call('search', { query: 'release train' })).structured).toMatchObject({ api_version: '1.0' })
})

test('notes when it was used, and its key with it', async () => {
  const { connect, secret, as, service, project } = await startFlow()
  const { token } = await connect(secret)
  expect((await service.store.control.listConnections({}))[0]?.connection.lastUsedAt).toBeNull()
  await as(token).post(list)
  await writeUses(service)
  const { connection, key } = (await service.store.control.listConnections({ projectId: project.id }))[0] ?? {}
  expect([connection?.lastUsedAt, key?.lastUsedAt]).toEqual([service.clock.now(), service.clock.now()])
})
