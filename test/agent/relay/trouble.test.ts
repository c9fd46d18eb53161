import { expect, onTestFinished, test } from 'bun:test'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { issueKey, revokeKey } from '../../../src/account/keys/key.ts'
import { findFreePort } from '../../free-port.ts'
import { startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'
import {
  INITIALIZE,
  json,
  makeStateDir,
  namesIn,
  startAgent,
  startEndpoint,
  UNKNOWN_KEY,
  withKnownTools,
} from '../start-agent.ts'

const OWN = 'memsvc_sync_status'
const SERVICE_TOOLS = ['remember', 'search', 'forget', 'validate_memory', 'gateway_call']
const LIST = '{"tools":[{"name":"a"}]}'
const idOf = (body: string) => JSON.parse(body).id as string | number
const result = (body: string, value = '{"ok":true}') =>
  json(`{"jsonrpc":"2.0","id":${JSON.stringify(idOf(body))},"result":${value}}`)

/** An address where nothing listens. */
const findFreeUrl = () => `http://127.0.0.1:${findFreePort()}`

/**
 * A server that treats each request, once it is there, as it is told: `act` gets the socket and how many requests came
 * before.
 */
async function startSockets(act: (socket: Socket, before: number, request: string) => void) {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const at = text.indexOf('\r\n\r\n')
      if (at < 0 || text.length < at + 4 + length) return
      const request = text
      text = ''
      heard.push(request.slice(request.indexOf('\r\n\r\n') + 4))
      act(socket, heard.length - 1, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, heard }
}

const call = (name: string) => ({ name, arguments: {} })

test.each([
  ['missing', undefined, 'SVC_API_KEY is not set.'],
  ['cut off', UNKNOWN_KEY.slice(0, 20), 'is cut off: it has 20 of 40 characters'],
  ['mistyped', `${UNKNOWN_KEY.slice(0, -1)}x`, 'is mistyped: its checksum is wrong'],
  ['quoted', `"${UNKNOWN_KEY}"`, 'has blanks, quotes or line breaks in it'],
  ['no key', 'sk-123', 'does not begin with svc_'],
  ['the name of a variable', '$' + '{SVC_API_KEY}', 'the name of a variable that the client did not replace'],
])('starts with a key that is %s, says so to everyone, and asks nobody', async (_what, key, text) => {
  const { url, heard } = startEndpoint(({ body }) => result(body))
  const { ask, reports } = await startAgent({ endpoint: url, key: key ?? '' })
  const { result: initialized } = await ask('initialize', INITIALIZE)
  expect(initialized).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } } })
  expect(initialized?.instructions).toContain(text)
  expect(namesIn(await ask('tools/list'))).toEqual([OWN])
  const { error } = await ask('tools/call', call('search'))
  expect(error).toMatchObject({ code: 1401, message: expect.stringContaining(text), data: { origin: 'memsvc-agent' } })
  expect((await ask('ping')).result).toEqual({})
  expect(reports).toEqual([expect.stringContaining(text)])
  expect(heard).toEqual([])
})

test('starts with an endpoint that cannot be one, and says so', async () => {
  const { ask } = await startAgent({ endpoint: 'http://memory.example' })
  expect((await ask('initialize', INITIALIZE)).result?.instructions).toContain('SVC_ENDPOINT must begin with https://')
  expect((await ask('tools/call', call('search'))).error?.message).toContain('the key would be sent in the clear')
  expect(namesIn(await ask('tools/list'))).toEqual([OWN])
})

test('says that a key was rejected, stays, and works again once the key in its file is another one', async () => {
  const { url, secret, service, key, project } = await startService()
  const file = join(await makeStateDir(), 'key')
  await writeFile(file, `${secret}\n`)
  const { ask, reports, notifications } = await startAgent({
    endpoint: url,
    key: '',
    environment: { SVC_API_KEY_FILE: file },
  })
  await ask('initialize', INITIALIZE)
  expect(namesIn(await ask('tools/list'))).toEqual([...SERVICE_TOOLS, OWN])
  await revokeKey(service, COMMAND_LINE, key)
  const { error } = await ask('tools/call', call('search'))
  expect(error).toMatchObject({
    code: 1401,
    message: expect.stringContaining('The API key was rejected'),
    data: { httpStatus: 401 },
  })
  expect(reports).toEqual([expect.stringContaining('The API key was rejected')])
  expect(namesIn(await ask('tools/list'))).toEqual([...SERVICE_TOOLS, OWN])
  const other = await issueKey(service, COMMAND_LINE, { project })
  await writeFile(file, other.secret)
  await waitUntil('the list is announced', () => notifications().includes('notifications/tools/list_changed'))
  expect((await ask('tools/call', { name: 'search', arguments: { query: 'x' } })).result?.isError).toBe(true)
  expect(reports.at(-1)).toContain('connected to')
})

test('a key that was rejected for a while is tried again after a minute, also if the clock was set back', async () => {
  let [isSuspended, at] = [true, Date.now()]
  const { url, heard } = startEndpoint(({ body }) =>
    isSuspended ? new Response(null, { status: 401 }) : result(body, LIST),
  )
  const { ask, notifications } = await startAgent({ endpoint: url, now: () => at })
  await ask('initialize', INITIALIZE)
  const looks = heard.length
  await waitUntil('it has looked', () => heard.length > looks)
  isSuspended = false
  at -= 60 * 60_000
  // Some minutes pass, far less than the hour: the rejection may be noted only after the clock was set back.
  await waitUntil('the list is announced', () => {
    at += 100
    return notifications().includes('notifications/tools/list_changed')
  })
})

test('a call with a key that was replaced meanwhile is sent with the other one, after the 401', async () => {
  const { url, secret, service, key, project } = await startService()
  const file = join(await makeStateDir(), 'key')
  await writeFile(file, secret)
  const { ask } = await startAgent({ endpoint: url, key: '', environment: { SVC_API_KEY_FILE: file } })
  await ask('initialize', INITIALIZE)
  await revokeKey(service, COMMAND_LINE, key)
  await writeFile(file, (await issueKey(service, COMMAND_LINE, { project })).secret)
  const { result: saved } = await ask('tools/call', {
    name: 'remember',
    arguments: { content: 'Kept across a change of keys' },
  })
  expect(saved).toMatchObject({ isError: false })
})

test('starts while the service is down, with the tools it had last, and announces them when it is back', async () => {
  const stateDir = await makeStateDir()
  const environment = { SVC_STATE_DIR: stateDir }
  const url = findFreeUrl()
  const startAt = () =>
    Bun.serve({
      port: new URL(url).port,
      hostname: '127.0.0.1',
      fetch: async (request) => result(await request.text(), LIST),
    })
  const first = startAt()
  const before = await startAgent({ endpoint: url, environment })
  expect(namesIn(await before.ask('tools/list'))).toEqual(['a', OWN])
  await before.close()
  await before.done
  await first.stop(true)

  const { ask, notifications, reports } = await startAgent({ endpoint: url, environment })
  const { result: initialized } = await ask('initialize', INITIALIZE)
  expect(initialized).toMatchObject({
    serverInfo: { name: 'memsvc-agent' },
    instructions: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
  })
  expect(namesIn(await ask('tools/list'))).toEqual(['a', OWN])
  expect((await ask('tools/call', call(OWN))).result).toMatchObject({
    structuredContent: { state: 'disabled', reason: 'not_enabled' },
  })
  expect((await ask('tools/call', call('search'))).error).toMatchObject({ code: 1503, data: { reason: 'unreachable' } })
  expect((await ask('server/discover')).error).toMatchObject({ code: 1503 })
  const second = startAt()
  onTestFinished(() => second.stop(true))
  await waitUntil('the list is announced', () => notifications().includes('notifications/tools/list_changed'))
  expect((await ask('tools/call', call('search'))).result).toBeObject()
  expect(reports).toEqual([expect.stringContaining('cannot be reached'), `connected to ${url}`])
})

test('tells its client when the list of tools has changed, and not when it has not', async () => {
  let tools = '[{"name":"a"}]'
  const { url, heard } = startEndpoint(({ body }) =>
    result(body, body.includes('initialize') ? '{"protocolVersion":"2025-06-18"}' : `{"tools":${tools}}`),
  )
  const { ask, notifications } = await startAgent({ endpoint: url })
  await ask('initialize', INITIALIZE)
  await ask('tools/list')
  const looks = heard.length
  await waitUntil('it has looked three times', () => heard.length >= looks + 3)
  expect(notifications()).toEqual([])
  tools = '[{"name":"a"},{"name":"b"}]'
  await waitUntil('the list is announced', () => notifications().length > 0)
  expect(namesIn(await ask('tools/list'))).toEqual(['a', 'b', OWN])
  const later = heard.length
  await waitUntil('it has looked again', () => heard.length >= later + 2)
  expect(notifications()).toEqual(['notifications/tools/list_changed'])
})

test('announces nothing in the stateless era, where a client reads the list by its time to live', async () => {
  const url = findFreeUrl()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { ask, notifications } = await startAgent({ endpoint: url })
  expect((await ask('tools/list', { _meta })).result).toMatchObject({
    resultType: 'complete',
    ttlMs: 5_000,
    cacheScope: 'private',
  })
  expect((await ask('tools/call', { ...call(OWN), _meta })).result).toMatchObject({
    resultType: 'complete',
    isError: false,
  })
  const service = Bun.serve({
    port: new URL(url).port,
    hostname: '127.0.0.1',
    fetch: async (request) => result(await request.text(), LIST),
  })
  onTestFinished(() => service.stop(true))
  await waitUntil('the service is found', async () => namesIn(await ask('tools/list', { _meta })).includes('a'))
  expect(notifications()).toEqual([])
})

const UNKNOWN = 'It is not known whether the call was carried out; look before it is repeated.'

test.each([
  ['remember', 'It is not known whether this was saved; saving it again within ten minutes is harmless.'],
  ['forget', UNKNOWN],
  ['gateway_call', UNKNOWN],
  ['hub.echo', UNKNOWN],
])('sends %s once, whatever happens to the connection after that', async (name, advice) => {
  const { url, heard } = await startSockets((socket) => socket.destroy())
  const { ask } = await startAgent({ endpoint: url })
  const { error } = await ask('tools/call', call(name))
  expect(error).toMatchObject({
    code: 1503,
    message: expect.stringContaining(advice),
    data: { reason: 'broken' },
  })
  expect(heard).toBeArrayOfSize(1)
})

test.each(['search', 'validate_memory'])(
  'sends %s again when the connection breaks before, within or after the head of the answer',
  async (name) => {
    const { url, heard } = await startSockets((socket, before, request) => {
      const body = `{"jsonrpc":"2.0","id":${idOf(request.slice(request.indexOf('\r\n\r\n') + 4))},"result":{}}`
      if (before === 0) return socket.destroy()
      if (before === 1) return socket.end('HTTP/1.1 200 OK\r\nContent-Ty')
      if (before === 2)
        return socket.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n${body.slice(0, 20)}`,
        )
      return socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
    const { ask } = await startAgent({
      endpoint: url,
      environment: await withKnownTools({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY }),
    })
    expect((await ask('tools/call', call(name))).result).toEqual({})
    expect(heard).toBeArrayOfSize(4)
    expect(new Set(heard).size).toBe(1)
  },
)

test('keeps a list for each of the last sixteen services and keys, which nobody else may read', async () => {
  const stateDir = await makeStateDir()
  const { url } = startEndpoint(({ body }) => result(body, LIST))
  for (let nth = 0; nth < 18; nth++) {
    const { ask, close, done } = await startAgent({
      endpoint: `${url}/${nth}`,
      environment: { SVC_STATE_DIR: stateDir },
    })
    await ask('tools/list')
    await close()
    await done
  }
  const folder = join(stateDir, 'tools')
  const names = await readdir(folder)
  expect(names).toBeArrayOfSize(16)
  expect(names.filter((name) => !/^[0-9a-f]{16}\.json$/.test(name))).toEqual([])
  expect((await stat(join(folder, names[0] ?? ''))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('starts where nothing can be kept', async () => {
  const { url } = startEndpoint(({ body }) => result(body, LIST))
  const { ask } = await startAgent({ endpoint: url, environment: { SVC_STATE_DIR: '/dev/null/state' } })
  expect(namesIn(await ask('tools/list'))).toEqual(['a', OWN])
})

test('does not wait for a busy service where it has an answer of its own', async () => {
  const { url, heard } = startEndpoint(() => new Response('stopping', { status: 503, headers: { 'retry-after': '5' } }))
  const { ask } = await startAgent({ endpoint: url, awayIntervalMs: 60_000 })
  expect((await ask('initialize', INITIALIZE)).result?.instructions).toContain('The service is busy (HTTP 503)')
  expect(namesIn(await ask('tools/list'))).toEqual([OWN])
  expect(heard).toBeArrayOfSize(2)
})

test('a client that begins without a handshake learns at once that the service is away', async () => {
  const { url, heard } = startEndpoint(() => new Response('stopping', { status: 503, headers: { 'retry-after': '5' } }))
  const { ask } = await startAgent({ endpoint: url, awayIntervalMs: 60_000 })
  expect((await ask('server/discover')).error).toMatchObject({ code: 1503, data: { reason: 'busy' } })
  expect(heard).toBeArrayOfSize(1)
})

test('answers the handshake itself where the service takes too long for it', async () => {
  const { url, heard } = startEndpoint(() => new Promise(() => {}))
  const { ask } = await startAgent({ endpoint: url, awayIntervalMs: 60_000 })
  expect((await ask('initialize', INITIALIZE)).result?.instructions).toContain('The service did not answer in time.')
  expect(heard).toBeArrayOfSize(1)
})

test('an answer that is cut where HTTP does not tell is no answer', async () => {
  const { url, heard } = await startSockets((socket) => {
    socket.end(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{"text":"half of',
    )
  })
  const { ask, lines } = await startAgent({ endpoint: url })
  expect((await ask('tools/call', call('remember'))).error).toMatchObject({ data: { reason: 'broken' } })
  expect([heard.length, lines.length]).toEqual([1, 1])
})

test('what never left is sent once the service is there, whatever it is', async () => {
  const url = findFreeUrl()
  const { send, answerTo, lines } = await startAgent({ endpoint: url })
  await send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember"}}')
  const heard: string[] = []
  const service = Bun.serve({
    port: new URL(url).port,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      heard.push(await request.text())
      return result(heard.at(-1) ?? '')
    },
  })
  onTestFinished(() => service.stop(true))
  expect((await answerTo(1)).result).toEqual({ ok: true })
  expect([heard.length, lines.length]).toEqual([1, 1])
})

test('waits once as long as a busy service asks for, where the message may be sent again', async () => {
  const { url, heard } = startEndpoint(({ body }, times) =>
    times === 1 ? new Response('busy', { status: 503, headers: { 'retry-after': '0' } }) : result(body),
  )
  const { ask } = await startAgent({
    endpoint: url,
    environment: await withKnownTools({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY }),
  })
  expect((await ask('tools/call', call('search'))).result).toEqual({ ok: true })
  expect(heard).toBeArrayOfSize(2)
})

test.each([
  ['a call that may not be sent again', 'remember', '1'],
  ['a wait that is too long', 'search', '600'],
])('says how long a busy service wants to be left alone: %s', async (_what, name, seconds) => {
  const { url, heard } = startEndpoint(() => new Response('busy', { status: 503, headers: { 'retry-after': seconds } }))
  const { ask } = await startAgent({
    endpoint: url,
    environment: await withKnownTools({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY }),
  })
  expect((await ask('tools/call', call(name))).error).toMatchObject({
    code: 1503,
    data: { httpStatus: 503, retryAfterSeconds: Number(seconds) },
  })
  expect(heard).toBeArrayOfSize(1)
})

test.each([
  [
    'the page of a network that wants a log-in',
    () => new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }),
    'HTTP 200, text/html',
  ],
  [
    'a page of a proxy',
    () => new Response('<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    'HTTP 502, text/html',
  ],
  ['JSON that is no message', () => json('{"hello":"world"}'), 'HTTP 200, application/json'],
  ['nothing', () => new Response(null, { status: 202 }), 'HTTP 202'],
])('says what it got instead of an answer: %s', async (_what, answer, text) => {
  const { url, heard } = startEndpoint(answer)
  const { ask } = await startAgent({ endpoint: url })
  const { error } = await ask('tools/call', call('remember'))
  expect(error).toMatchObject({ code: 1503, message: expect.stringContaining(text), data: { reason: 'unexpected' } })
  expect(heard).toBeArrayOfSize(1)
})

test('carries the key to no other host: a redirect is told, not followed', async () => {
  const other = startEndpoint(({ body }) => result(body))
  const { url } = startEndpoint(() => Response.redirect(`${other.url}/mcp`, 307))
  const { ask } = await startAgent({ endpoint: url })
  expect((await ask('tools/call', call('search'))).error?.message).toContain('answered with a redirect (HTTP 307)')
  expect(other.heard).toEqual([])
})

test('gives a refusal of the HTTP layer the id that the client waits for', async () => {
  const { url, secret } = await startService()
  const { ask } = await startAgent({ endpoint: url, key: secret })
  const { error, id } = await ask('tools/call', { name: 'remember', arguments: { content: 'x'.repeat(2 ** 20) } })
  expect([id, error?.code, error?.message]).toEqual([
    1,
    -32600,
    'Invalid Request: the body is larger than 1048576 bytes',
  ])
})
