import { expect, test } from 'bun:test'
import { startService } from '../start-service.ts'

/** Sends bytes as they are and gives the status of each answer; none where the connection was closed without one. */
function send(url: string, bytes: string, answers = 1): Promise<number[]> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<number[]>()
  let got = ''
  const statuses = () => [...got.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(Buffer.from(bytes, 'latin1')),
      data: (socket, data) => {
        got += data.toString('latin1')
        if (statuses().length >= answers) socket.end()
      },
      close: () => resolve(statuses()),
      error: () => resolve(statuses()),
    },
  }).catch(reject)
  return promise
}

const PATHS = [
  '/mcp',
  '/healthz',
  '/readyz',
  '/',
  '/nowhere',
  '/console',
  '/console/sign-in',
  '/console/enter/0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  '/console/join/0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  '/console/projects/00000000-0000-7000-8000-000000000000/keys',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/oauth/authorize?client_id=x&redirect_uri=y',
  '/oauth/register',
  '/oauth/token',
]

const HOSTS = [
  '[',
  ']',
  '[::1',
  '[::g]',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'user@evil',
  ':',
  ':80',
  'a:99999',
  'a:b',
  '%',
  '%00',
  'a%zz',
  '1.2.3.999',
  '\\',
  '<x>',
]

test.each(HOSTS)('answers 400 to a Host that is none: %j', async (host) => {
  const { url, logged } = await startService()
  for (const path of PATHS) {
    expect([path, await send(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)]).toEqual([
      path,
      [400],
    ])
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3'
    expect(
      await send(url, `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${form}\r\n\r\na=b`),
    ).toEqual([400])
  }
  expect(logged).toEqual([])
})

test('answers a request of HTTP/1.0 that names no host', async () => {
  const { url, logged } = await startService()
  expect(await send(url, 'GET /healthz HTTP/1.0\r\n\r\n')).toEqual([200])
  for (const path of PATHS) expect((await send(url, `GET ${path} HTTP/1.0\r\n\r\n`))[0]).toBeLessThan(500)
  expect(logged).toEqual([])
})

/** Numbers that are the same in every run. */
function createRandom(seed: number) {
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  return { next, pick }
}

const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']
const TARGETS = [
  '',
  '/',
  '//',
  '/%',
  '/%ff',
  '/%00',
  '/%2e%2e/',
  '/../..',
  '?',
  '?%',
  '?a=%ff&a',
  '?to=//evil',
  '#x',
  ';x',
  '\\',
  '*',
  `/${'x'.repeat(3_000)}`,
]
const HEADERS = [
  'Authorization: Bearer svc_wrong',
  'Authorization: Basic ====',
  'Authorization: \x01\xff',
  'Cookie: memsvc_session=x; memsvc_session=%ff; =;;=',
  'Cookie: \xff\xfe',
  'Origin: null',
  'Origin: http://[',
  'Origin: \xff',
  'Accept: application/json, text/event-stream',
  'Accept: ,,,;;q=\x7f',
  'Content-Type: application/json',
  'Content-Type: application/x-www-form-urlencoded; charset=\xff',
  'Content-Type: multipart/form-data; boundary=',
  'Content-Encoding: gzip',
  'X-Forwarded-For: ,,999.1.1.1,[::',
  'X-Forwarded-Host: [',
  'X-Forwarded-Proto: javascript',
  'Sec-Fetch-Site: \xff',
  'MCP-Protocol-Version: \xff',
  'Mcp-Name: =?base64?****?=',
  'Range: bytes=9-1',
  'If-None-Match: "',
  'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13',
  `X-Long: ${'x'.repeat(9_000)}`,
]
const BODIES = ['', '{}', '{"jsonrpc":"2.0"', 'a=%ff&b=%', '&&&===', '\x00\xff\xfe', '[[[[']
const GOOD_HOSTS = ['127.0.0.1', 'localhost:80', 'example.org', 'a', '[::1]:8787']

/**
 * Ends whatever head or body a mutation left open: a head by its blank line, a body by more bytes than two digits of a
 * length can ask for.
 */
const END = `\r\n\r\n${'x'.repeat(100)}`

function mutate({ next, pick }: ReturnType<typeof createRandom>): string {
  const target =
    next(3) === 0 ? `${pick(['http://evil.example', 'http://[', '//evil', ''])}${pick(PATHS)}` : pick(PATHS)
  const host = next(5) === 0 ? pick(HOSTS) : pick(GOOD_HOSTS)
  const body = pick(BODIES)
  const headers = Array.from({ length: next(5) }, () => pick(HEADERS))
  const lines = [
    `${pick(METHODS)} ${target}${pick(TARGETS)} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...headers,
  ]
  const head = `${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`
  if (next(4) > 0) return head + body
  const at = next(head.length - 4)
  return `${head.slice(0, at)}${String.fromCharCode(next(256))}${head.slice(at + 1)}${body}`
}

test('no mutated request of 4 000 is answered with a failure of ours, and none writes to the log', async () => {
  const { url, logged, post } = await startService()
  const random = createRandom(12)
  let answered = 0
  for (let round = 0; round < 80; round++) {
    const requests = Array.from({ length: 50 }, () => mutate(random))
    const answers = await Promise.all(requests.map((request) => send(url, request + END)))
    // 501 and 505 are the HTTP parser's own words for an upgrade or a version that nobody speaks.
    answered += answers.filter((statuses) => statuses.length > 0).length
    for (const [at, statuses] of answers.entries())
      for (const status of statuses)
        expect([status, status < 500 || [501, 505].includes(status) ? '' : requests[at]]).toEqual([status, ''])
  }
  expect(answered).toBeGreaterThan(2_000)
  expect(logged).toEqual([])
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200)
})
