import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { revokeKey } from '../../src/account/keys/key.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('answers one POST with JSON, without any handshake', async () => {
  const { post } = await startService()
  const { status, headers, body } = await post(list)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json')
  expect(body?.jsonrpc).toBe('2.0')
  expect(body?.result?.tools).toBeArrayOfSize(5)
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
  'refuses %s with 405, before the key is looked at',
  async (method) => {
    const { url } = await startService()
    const response = await fetch(`${url}/mcp`, { method, headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  },
)

test('refuses a foreign origin with 403, before the key is looked at', async () => {
  const { post } = await startService()
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'nonsense']) {
    expect((await post(list, { origin, authorization: undefined })).status).toBe(403)
  }
})

test('lets its own origin, its public one and, on loopback, the ones of this machine pass', async () => {
  const { post, url } = await startService({ config: { publicUrl: 'https://memory.example' } })
  for (const origin of [url, 'https://memory.example', 'http://localhost:3000', 'http://[::1]:3000']) {
    expect((await post(list, { origin })).status).toBe(200)
  }
})

test('refuses a host name that is not of this machine while it is bound to loopback', async () => {
  const { post } = await startService({ config: { publicUrl: 'https://memory.example' } })
  expect((await post(list, { host: 'evil.example', origin: 'http://evil.example' })).status).toBe(403)
  expect((await post(list, { host: 'evil.example' })).status).toBe(403)
  expect((await post(list, { host: 'memory.example' })).status).toBe(200)
})

test('takes any host name, but no foreign origin, when it is bound to all addresses', async () => {
  const { post } = await startService({ config: { host: '0.0.0.0' } })
  expect((await post(list, { host: 'memory.lan:8787', origin: 'http://memory.lan:8787' })).status).toBe(200)
  expect((await post(list, { host: 'memory.lan:8787', origin: 'http://localhost:3000' })).status).toBe(403)
})

test('refuses a wrong, truncated, revoked or missing key with 401, whatever else is wrong', async () => {
  const { post, secret, service, key } = await startService()
  const changed = secret.slice(0, 10) + (secret[10] === 'a' ? 'b' : 'a') + secret.slice(11)
  const wrong = [
    undefined,
    '',
    'Bearer',
    `Bearer ${changed}`,
    `Bearer ${secret.slice(0, -1)}`,
    `Bearer  ${secret}`,
    `bearer ${secret}`,
    secret,
  ]
  for (const authorization of wrong) {
    expect((await post('{ not json', { authorization, accept: '*/*', 'content-type': 'text/plain' })).status).toBe(401)
  }
  await revokeKey(service, COMMAND_LINE, key)
  expect((await post(list)).status).toBe(401)
})

test('names the OAuth metadata in a 401 only to a client that sent no key', async () => {
  const { post, url } = await startService()
  const challenge = async (authorization: string | undefined) =>
    (await post(list, { authorization })).headers.get('www-authenticate')
  const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`
  expect(await challenge('Bearer svc_wrong')).toBe('Bearer')
  expect(await challenge(undefined)).toBe(`Bearer ${metadata}`)
  expect(await challenge('Bearer svo_wrong')).toBe(`Bearer error="invalid_token", ${metadata}`)
})

test('names the metadata under the public address, and under none that it would have to guess', async () => {
  const known = await startService({ config: { publicUrl: 'https://memory.example' } })
  expect((await known.post(list, { authorization: undefined })).headers.get('www-authenticate')).toContain(
    '"https://memory.example/.well-known/',
  )
  const guessed = await startService({ config: { host: '0.0.0.0' } })
  const { headers } = await guessed.post(list, { authorization: undefined, host: 'memory.lan' })
  expect(headers.get('www-authenticate')).toBe('Bearer')
})

test('wants both kinds of answer accepted, and JSON sent', async () => {
  const { post } = await startService()
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'text/event-stream',
    'application/jsonx, text/event-stream',
  ]) {
    expect((await post(list, { accept })).status).toBe(406)
  }
  for (const type of [undefined, 'text/plain', 'application/jsonx', 'multipart/form-data; boundary=x']) {
    expect((await post(list, { 'content-type': type })).status).toBe(415)
  }
  const { status } = await post(list, {
    accept: 'Text/Event-Stream;q=0.5 , application/json',
    'content-type': 'Application/JSON; charset=utf-8',
  })
  expect(status).toBe(200)
})

test('refuses a body over 1 MiB with 413, announced or not, and goes on', async () => {
  const { post, url, secret } = await startService()
  expect((await post('x'.repeat(10 * 2 ** 20))).status).toBe(413)
  expect((await post(`"${'x'.repeat(2 ** 20 - 2)}"`)).status).toBe(400)
  let sent = 0
  const endless = new ReadableStream({
    async pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(65_536))
      await setImmediate()
    },
  })
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: endless })
  expect(response.status).toBe(413)
  expect(sent).toBeLessThan(1_000)
  expect((await post(list)).status).toBe(200)
})

test('takes a body in chunks', async () => {
  const { url, secret } = await startService()
  const parts = [...JSON.stringify(list)].map((character) => new TextEncoder().encode(character))
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
})

test('shows what it could not foresee only as a number under which the log has it', async () => {
  const integrations = {
    list: async () => [],
    find: async () => {
      throw new Error('a secret of ours')
    },
  }
  const { post, logged } = await startService({ integrations })
  const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'other.tool' } })
  expect(status).toBe(200)
  const id = /^Internal error \(request ([0-9a-f-]{36})\)$/.exec(body?.error?.message ?? '')?.[1] ?? 'none'
  expect(body?.error?.code).toBe(-32603)
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(logged.join('')).toContain(id)
  expect(logged.join('')).toContain('a secret of ours')
})

embeddedTest('a damaged file')(
  'tells a caller nothing of the data folder when a file in it cannot be used',
  async () => {
    const { call, service, project, logged } = await startService()
    const path = join(service.config.dataDir, 'projects', `${project.id}.db`)
    await mkdir(dirname(path))
    await writeFile(path, 'no database at all, but long enough to be looked at as if it were one')
    const damaged = 'the data of this project is damaged; its operator has to restore it'
    expect(await call('search', { query: 'x' })).toBeToolError(damaged)
    expect(await call('remember', { content: 'x' })).toBeToolError(damaged)
    expect(logged.join('')).toContain(`${path} is damaged; restore it from a backup`)
  },
)
