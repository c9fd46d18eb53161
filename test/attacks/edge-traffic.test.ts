import { expect, test } from 'bun:test'
import { createRateLimiter } from '../../src/account/limits/traffic.ts'
import { readBody } from '../../src/http/body.ts'
import { createSlidingWindow } from '../../src/store/sqlite/sliding-window.ts'
import { commandsBeside } from '../command-line.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
const list = { jsonrpc: '2.0', id: 8, method: 'tools/list' }
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

/** The service on the plan `free`: 60 calls a minute and so 600 other messages, and 16 MiB. */
async function startFree() {
  const running = await startService()
  await commandsBeside(running.service).json('subscription', 'set', '--plan', 'free')
  const times = async (count: number, message: unknown) => {
    for (let time = 0; time < count; time++) await running.post(message)
  }
  return { ...running, times }
}

test('messages that are no calls have a window of their own: beyond it 429, and calls go on', async () => {
  const { post, call, pass, times } = await startFree()
  await times(300, ping)
  await times(300, notification)
  const refused = await post(ping)
  expect(refused).toMatchObject({ status: 429, body: { jsonrpc: '2.0', id: 7, error: { code: -32600 } } })
  expect(refused.body?.error?.message).toBe('Too Many Requests: too much was sent in the last 60 s; try again in 1 s')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await post(notification)).status).toBe(429)
  expect((await post('no JSON')).status).toBe(429)
  expect(await call('search', { query: '*' })).toBeToolError(/is not active/)
  pass(1_000)
  expect((await post(ping)).status).toBe(200)
})

test('an occasional tools/list is answered when everything else is used up', async () => {
  const { post, times } = await startFree()
  await times(601, ping)
  expect((await post(list)).status).toBe(200)
  await times(59, list)
  expect((await post(list)).status).toBe(429)
})

test('refused messages use up nothing', async () => {
  const { post, pass, times } = await startFree()
  await times(700, ping)
  pass(100)
  expect((await post(ping)).status).toBe(200)
})

test('bytes have a window of their own, counted before a large body is read', async () => {
  const { post, call, pass } = await startFree()
  const large = { ...ping, params: { padding: 'x'.repeat(1_000_000) } }
  const statuses = []
  for (let time = 0; time < 17; time++) statuses.push((await post(large)).status)
  expect(statuses).toEqual([...Array(16).fill(200), 429])
  expect((await post(list)).status).toBe(200)
  pass(60_000)
  expect((await call('remember', { content: 'y'.repeat(65_536) })).isError).toBe(false)
})

test('a full window of calls at the largest content, escaped three times as long, is never refused', async () => {
  const { post } = await startFree()
  for (let time = 0; time < 60; time++) {
    const content = `${time}${'é'.repeat(32_700)}`
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'remember', arguments: { content } },
    }
    const escaped = JSON.stringify(message).replaceAll('é', '\\u00e9')
    expect((await post(escaped)).status).toBe(200)
  }
})

test('keys of an account share the window of the address they come from', async () => {
  const { as, org } = await startFree()
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const statuses = []
  for (let key = 0; key < 3; key++) {
    const { secret } = await org.issueKey()
    for (let time = 0; time < 250; time++) statuses.push((await as(secret).post(ping, from)).status)
    if (key === 2) statuses.push((await as(secret).post(ping, { 'x-forwarded-for': '192.0.2.2' })).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(150)
  expect(statuses.at(-1)).toBe(200)
})

test('an allowance admits whatever a sliding window of the same number admits', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const limiter = createRateLimiter()
    const window = createSlidingWindow()
    let random = seed
    for (let now = 0, step = 0; step < 2_000; step++) {
      random = (random * 48_271) % 2_147_483_647
      now += random % 7 === 0 ? random % 20_000 : random % 200
      if (window.count(now) >= 100) continue
      window.add(now)
      expect(limiter.consume([{ id: 'a', amount: 1, perMinute: 100 }], now)).toBe(0)
    }
  }
})

test('allowances that are full again are not kept', () => {
  const limiter = createRateLimiter()
  for (let id = 0; id < 1_000; id++) limiter.consume([{ id: `${id}`, amount: 1, perMinute: 10 }], 0)
  expect(limiter.size()).toBe(1_000)
  limiter.consume([{ id: 'last', amount: 1, perMinute: 10 }], 60_000)
  expect(limiter.size()).toBe(1)
})

/** Sends the head of a request with a large body, and not the body. */
async function begin(url: string, secret: string, length: number) {
  const { hostname, port } = new URL(url)
  const answered = Promise.withResolvers<string>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, data) => answered.resolve(data.toString()), close: () => answered.resolve('closed') },
  })
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Accept: application/json, text/event-stream\r\nContent-Length: ${length}\r\n\r\n`)
  return { socket, answer: answered.promise }
}

test('large bodies on their way are bounded, of one key, one account and of all, and others get in meanwhile', async () => {
  const { url, secret, post, as, org } = await startService()
  const large = { ...ping, params: { padding: 'x'.repeat(20_000) } }
  const begun = []
  // One key fills 24 MiB, the next up to 36, and the third finds room for one body in what is kept for keys that have
  // none.
  for (let key = 0; key < 3; key++) {
    const { secret } = await org.issueKey()
    const ofKey = []
    for (let time = 0; time < 25; time++) ofKey.push(await begin(url, secret, 1_048_576))
    // One of them is: where keys are read from a database, not always the one that was begun last.
    expect(await Promise.race(ofKey.map(({ answer }) => answer))).toStartWith('HTTP/1.1 429')
    begun.push(...ofKey)
    expect((await as(secret).post(ping)).status).toBe(200)
    expect((await as(secret).post(large)).status).toBe(429)
  }
  // An account that holds some fills 42 MiB, and the last 6 are kept for accounts that hold none.
  const fillFrom = async (secret: string) => {
    expect((await as(secret).post(large)).status).toBe(200)
    begun.push(await begin(url, secret, 1_048_576))
    await waitUntil('it has its room', async () => (await as(secret).post(large)).status === 429)
  }
  for (let key = 0; key < 5; key++) await fillFrom((await org.issueKey()).secret)
  expect((await as((await org.issueKey()).secret).post(large)).status).toBe(429)
  for (let number = 0; number < 6; number++) {
    const account = await org.addAccount(`account ${number}`)
    await fillFrom((await org.issueKey({ project: await org.addProject('its own', account) })).secret)
  }
  const refused = await begin(url, secret, 20_000)
  const answer = await refused.answer
  expect(answer).toStartWith('HTTP/1.1 429')
  expect(answer.toLowerCase()).toContain('retry-after: 1\r\n')
  expect((await post(ping)).status).toBe(200)
  for (const { socket } of begun) socket.end()
  await Promise.all(begun.map(({ answer }) => answer))
  await waitUntil('there is room for large bodies again', async () => (await post(large)).status === 200)
})

test('a body that does not come in time is not waited for', async () => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      new Response(await readBody(request, 1_000, 50).catch((error) => `${error.status}: ${error.message}`)),
  })
  const late = '408: Request Timeout: the body was not there within 0.05 s'
  for (const framing of ['Content-Length: 100\r\n\r\nx', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n']) {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: server.port ?? 0,
      socket: { data: (_socket, data) => resolve(data.toString()) },
    })
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}`)
    expect(await promise).toEndWith(late)
    socket.end()
  }
})

test('a body in nine hundred chunks of a byte each is put together', async () => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => new Response(await readBody(request, 1_000)),
  })
  const bytes = new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < 900; at++) controller.enqueue(new TextEncoder().encode('y'))
      controller.close()
    },
  })
  expect(await (await fetch(server.url, { method: 'POST', body: bytes })).text()).toBe('y'.repeat(900))
})

test.each(['/console/sign-in', '/oauth/register', '/oauth/token', '/oauth/revoke', '/oauth/authorize'])(
  'a body of more than 16 KiB that nobody shows a credential for is refused: %s',
  async (path) => {
    const { url } = await startService()
    const type = path === '/oauth/register' ? 'application/json' : 'application/x-www-form-urlencoded'
    const send = (body: RequestInit['body']) =>
      fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body: body ?? null })
    expect((await send('x'.repeat(16_385))).status).toBe(413)
    expect((await send(new Blob(['x'.repeat(16_385)]).stream())).status).toBe(413)
    expect((await send('x'.repeat(16_384))).status).toBeOneOf([400, 401])
  },
)

test('a body with a bad key is answered before it is sent', async () => {
  const { url } = await startService()
  const { answer, socket } = await begin(url, 'svc_wrong', 1_048_576)
  expect(await answer).toStartWith('HTTP/1.1 401')
  socket.end()
})

test.each([
  ['values', `[${'1,'.repeat(10_000)}1]`],
  ['objects', `[${'{},'.repeat(349_000)}{}]`],
  ['members', `{${Array.from({ length: 90_000 }, (_, at) => `"${at.toString(36)}":1`).join()}}`],
  ['lists', '['.repeat(500_000)],
])('a message of too many %s is refused before it is parsed', async (_name, inner) => {
  const { post } = await startService()
  const { status, body } = await post(`{"jsonrpc":"2.0","method":"x","params":{"x":${inner}}}`)
  expect(status).toBe(400)
  expect(body?.error?.message).toMatch(
    /^Invalid Request: the message (holds more than 10000 values|is nested deeper than 64 levels)$/,
  )
})

test('brackets and commas within a text are no values', async () => {
  const { call } = await startService()
  const content = '[{,"\\'.repeat(10_000)
  expect((await call('remember', { content })).isError).toBe(false)
})
