import { expect, onTestFinished, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createOutbound } from '../../src/outbound/outbound.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'
import { startServer } from './start-server.ts'

const ask = { maxBytes: 1000, timeoutMs: 5000 }

function open(allow: string[], resolve?: Parameters<typeof createOutbound>[1]) {
  const outbound = createOutbound(allow, resolve)
  onTestFinished(outbound.close)
  return outbound
}

async function failureOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown) => thrown)
  return error instanceof OutboundError ? error.code : `no failure: ${error}`
}

test('asks and hands over status, headers and body', async () => {
  const { url } = await startServer(async (request, response) => {
    const sent = await Array.fromAsync(request)
    response.writeHead(201, { 'content-type': 'application/json', 'x-seen': String(request.headers['x-sent']) })
    response.end(JSON.stringify({ method: request.method, path: request.url, body: Buffer.concat(sent).toString() }))
  })
  const answer = await open(['127.0.0.1']).fetch(`${url}/a?b=c`, {
    ...ask,
    method: 'POST',
    headers: { 'x-sent': 'yes' },
    body: 'grüße',
  })
  expect([answer.status, answer.headers.get('x-seen')]).toEqual([201, 'yes'])
  expect(await answer.json()).toEqual({ method: 'POST', path: '/a?b=c', body: 'grüße' })
})

test.each(['127.0.0.0/8', '127.0.0.1', 'inside.example'])(
  'reaches a host inside that the operator allowed as %s',
  async (entry) => {
    const { port } = await startServer((_, response) => response.end('inside'))
    const outbound = open([entry], async () => [{ address: '127.0.0.1', family: 4 }])
    const answer = await outbound.fetch(`http://inside.example:${port}/`, ask)
    expect(await answer.text()).toBe('inside')
  },
)

test('connects to the address that was checked, whatever the name says next', async () => {
  const { port } = await startServer((request, response) => response.end(request.headers.host))
  const answers = ['127.0.0.1', '127.0.0.2']
  const outbound = open(['127.0.0.1'], async () => [{ address: answers.shift() ?? '127.0.0.3', family: 4 }])
  const answer = await outbound.fetch(`http://rebinding.example:${port}/`, ask)
  expect([await answer.text(), answers.length]).toEqual([`rebinding.example:${port}`, 1])
})

test('keeps connections warm', async () => {
  const { url, seen } = await startServer((_, response) => response.end('x'))
  const outbound = open(['127.0.0.1'])
  for (let i = 0; i < 5; i++) await (await outbound.fetch(url, ask)).text()
  expect(seen.connections).toBe(1)
})

test('answers a request after its server was restarted', async () => {
  const { url, port, server } = await startServer((_, response) => response.end('x'))
  const outbound = open(['127.0.0.1'])
  await (await outbound.fetch(url, ask)).text()
  const beside = connect(port, '127.0.0.1')
  beside.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(beside, 'data')
  server.closeAllConnections()
  // Once this connection is seen to be closed, and the events of that turn are handled, the one of the service is too.
  await once(beside, 'close')
  await setImmediate()
  expect(await (await outbound.fetch(url, ask)).text()).toBe('x')
})

test.each([301, 302, 303, 307, 308])('does not follow a redirect (%d)', async (status) => {
  const { url } = await startServer((request, response) =>
    request.url === '/' ? response.writeHead(status, { location: '/secret' }).end() : response.end('secret'),
  )
  expect(await failureOf(open(['127.0.0.1']).fetch(url, ask))).toBe('redirect')
})

test('ends an answer that announces more than the bound, and one that does not', async () => {
  const { url } = await startServer((request, response) => {
    if (request.url === '/announced') return response.writeHead(200, { 'content-length': '1001' }).end('x'.repeat(1001))
    response.write('x'.repeat(900))
    return response.end('x'.repeat(101))
  })
  const outbound = open(['127.0.0.1'])
  for (const path of ['/announced', '/streamed']) {
    const read = outbound.fetch(url + path, ask).then((answer) => answer.text())
    expect(await failureOf(read)).toBe('size')
  }
})

test('takes no packed answer, whose real size nobody knows', async () => {
  const { url } = await startServer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Bun.gzipSync('x'.repeat(10_000))),
  )
  expect(await failureOf(open(['127.0.0.1']).fetch(url, ask))).toBe('broken')
})

test('gives up on a server that never answers, and on one that never ends', async () => {
  const { url } = await startServer((request, response) => {
    if (request.url !== '/silent')
      response.writeHead(200, { 'content-type': String(request.headers.accept) }).write('x')
  })
  const outbound = open(['127.0.0.1'])
  expect(await failureOf(outbound.fetch(`${url}/silent`, { ...ask, timeoutMs: 50 }))).toBe('timeout')
  for (const accept of ['text/plain', 'text/event-stream']) {
    const read = outbound.fetch(url, { ...ask, headers: { accept }, timeoutMs: 50 }).then((answer) => answer.text())
    expect(await failureOf(read)).toBe('timeout')
  }
})

test('hangs up when its caller gives up', async () => {
  const { promise: hungUp, resolve } = Promise.withResolvers<void>()
  const { url } = await startServer((_, response) => {
    response.on('close', resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('x')
  })
  const caller = new AbortController()
  const answer = await open(['127.0.0.1']).fetch(url, { ...ask, signal: caller.signal })
  const read = answer.text()
  caller.abort()
  expect(await failureOf(read)).toBe('cancelled')
  await hungUp
  expect(await failureOf(open(['127.0.0.1']).fetch(url, { ...ask, signal: caller.signal }))).toBe('cancelled')
})

test('tells an answer that broke off from one that ended', async () => {
  const { url } = await startServer((request, response) => {
    response.writeHead(200, request.url === '/length' ? { 'content-length': '100' } : {})
    response.write('half', () => response.destroy())
  })
  for (const path of ['/length', '/chunked']) {
    const read = open(['127.0.0.1'])
      .fetch(url + path, ask)
      .then((answer) => answer.text())
    expect(await failureOf(read)).toBe('broken')
  }
})

test('says when nobody listens, and when there is no such name', async () => {
  const { url, server } = await startServer(() => {})
  await new Promise((done) => server.close(done))
  expect(await failureOf(open(['127.0.0.1']).fetch(url, ask))).toBe('unreachable')
  expect(await failureOf(open([], async () => []).fetch('https://nowhere.example', ask))).toBe('unreachable')
})

test('refuses a certificate that nobody vouches for', async () => {
  const { port } = await startServer((_, response) => response.end('x'), { secure: true })
  const outbound = open(['upstream.test'], async () => [{ address: '127.0.0.1', family: 4 }])
  expect(await failureOf(outbound.fetch(`https://upstream.test:${port}/`, ask))).toBe('certificate')
})
