import { expect, onTestFinished, test } from 'bun:test'
import { isPublic } from '../../src/outbound/address.ts'
import { createOutbound } from '../../src/outbound/outbound.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'
import { startServer } from '../outbound/start-server.ts'

const ask = { maxBytes: 1_000, timeoutMs: 5_000 }

function open(...given: Parameters<typeof createOutbound>) {
  const outbound = createOutbound(...given)
  onTestFinished(outbound.close)
  return outbound
}

async function failureOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown) => thrown)
  return error instanceof OutboundError ? error.code : `no failure: ${error}`
}

/** First and last addresses of the special-purpose ranges of IANA, and what they are for. */
const SPECIAL = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'shared by carriers': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  'link-local': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '169.254.255.255',
    'fe80::',
    'fe80::a9fe:a9fe',
    'febf:ffff::1',
  ],
  'protocol assignments': [
    '192.0.0.0',
    '192.0.0.8',
    '192.0.0.170',
    '192.0.0.192',
    '192.0.0.255',
    '2001::',
    '2001:1ff:ffff::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  'AS112 and AMT': ['192.31.196.1', '192.52.193.1', '192.175.48.1', '2001:3::1', '2001:4:112::1', '2620:4f:8000::1'],
  '6to4 relays': ['192.88.99.1'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff00::1', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  reserved: ['240.0.0.0', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:0'],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::7f00:1', '::9.9.9.9'],
  'IPv4-translated': [
    '::ffff:0:127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::909:909',
    '64:ff9b:1::a00:1',
  ],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:909:909::1'],
  Teredo: ['2001:0:7f00:1::', '2001::1'],
  'ORCHID, DETs and TURN': ['2001:10::1', '2001:20::1', '2001:30::1', '2001:1::1', '2001:1::2'],
  discard: ['100::', '100::1', '100:0:0:1::1'],
  'SRv6 SIDs': ['5f00::1'],
  'unique local': ['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'not assigned': ['4000::1', '8000::1', 'e000::1', '200::1'],
  'metadata and agents of clouds': [
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.42.42',
    '::ffff:168.63.129.16',
  ],
}

test.each(Object.entries(SPECIAL))('no call goes to an address that is %s', async (_, addresses) => {
  for (const address of addresses) {
    expect([address, isPublic(address)]).toEqual([address, false])
    const host = address.includes(':') ? `[${address}]` : address
    expect([address, await failureOf(open([]).fetch(`https://${host}/`, ask))]).toEqual([address, 'address'])
    const named = open([], async () => [{ address, family: address.includes(':') ? 6 : 4 }])
    expect([address, await failureOf(named.fetch('https://named.example/', ask))]).toEqual([address, 'address'])
  }
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2400:cb00::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
])('%s is of the public internet', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.each([
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0177.0.0.0x1/',
  'https://3232235521/',
  'https://0xA9FEA9FE/',
  'https://169.16689662/',
  'https://0/',
  'https://0.0/',
  'https://00000000000/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://127.0.0.1./',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:0x7f.0.0.1]/',
  'https://[fe80::1%25eth0]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://ＬＯＣＡＬＨＯＳＴ/',
  'https://127.0.0.1:443/',
  'https://127.0.0.1:8787/mcp',
  'https://127.0.0.1:22/',
])('however it is written: %s', async (url) => {
  expect(await failureOf(open([]).fetch(url, ask))).toBe('address')
})

test.each([
  'http://9.9.9.9/',
  'http://public.example/',
  'http://public.example:443/',
  'ftp://public.example/',
  'file:///etc/passwd',
  'gopher://public.example/',
  'ws://public.example/',
  'wss://public.example/',
  'data:text/plain,x',
  'blob:https://public.example/x',
  'unix:/run/docker.sock',
  'unix:///run/docker.sock',
  'javascript:1',
  '//public.example/',
  'https:',
  'https://',
  'https://user@public.example/',
  'https://user:word@public.example/',
  'https://:word@public.example/',
  'https://public.example:99999/',
  'https://a b.example/',
])('nothing but https without credentials: %s', async (url) => {
  const asked: string[] = []
  const outbound = open([], async (host) => {
    asked.push(host)
    return [{ address: '9.9.9.9', family: 4 }]
  })
  expect(await failureOf(outbound.fetch(url, ask))).toBe('address')
  if (url.startsWith('https')) expect(asked).toEqual([])
})

test('no name is called of which any address is inside, wherever it stands in the answer', async () => {
  const inside = ['127.0.0.1', '10.0.0.1', '::1', '::ffff:10.0.0.1', 'fd00::1', '169.254.169.254']
  for (const address of inside) {
    const all = ['9.9.9.9', '2606:4700:4700::1111', address].map((text) => ({
      address: text,
      family: text.includes(':') ? 6 : 4,
    }))
    for (const answer of [all, all.toReversed()]) {
      expect(await failureOf(open([], async () => answer).fetch('https://mixed.example/', ask))).toBe('address')
    }
  }
})

test('no name of this machine is called, with a dot at its end or without', async () => {
  for (const host of ['localhost', 'localhost.', 'LocalHost.'])
    expect(['address', 'unreachable']).toContain(await failureOf(open([]).fetch(`https://${host}/`, ask)))
  const asLocal = open([], async () => [{ address: '127.0.0.1', family: 4 }])
  for (const host of ['localhost.', 'public.example.'])
    expect(await failureOf(asLocal.fetch(`https://${host}/`, ask))).toBe('address')
})

test('what is no address at all is not called', async () => {
  for (const address of ['', 'localhost', '127.0.0.1/8', 'x'.repeat(100)]) {
    const failure = await failureOf(open([], async () => [{ address, family: 4 }]).fetch('https://odd.example/', ask))
    expect(['address', 'broken', 'unreachable']).toContain(failure)
  }
})

test('a name that changes its address between the check and the connection is asked once', async () => {
  const { port, seen } = await startServer((_, response) => response.end('inside'))
  const answers = ['127.0.0.2', '127.0.0.1']
  const outbound = open(['127.0.0.2'], async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])
  const failure = await failureOf(outbound.fetch(`http://rebinding.example:${port}/`, { ...ask, timeoutMs: 1_000 }))
  expect(['unreachable', 'broken', 'timeout']).toContain(failure)
  expect([answers.length, seen.connections]).toEqual([1, 0])
})

test('a name is checked again for every connection', async () => {
  const { port, seen } = await startServer((_, response) => response.setHeader('connection', 'close').end('inside'))
  const answers = ['127.0.0.1', '10.0.0.1']
  const outbound = open(['127.0.0.1'], async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }])
  expect(await (await outbound.fetch(`http://turning.example:${port}/`, ask)).text()).toBe('inside')
  expect(await failureOf(outbound.fetch(`http://turning.example:${port}/`, ask))).toBe('address')
  expect(seen.connections).toBe(1)
})

test('a redirect leads nowhere, inside or outside', async () => {
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    const { url, seen } = await startServer(
      (_, response) => void response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('x'),
    )
    expect([status, await failureOf(open(['127.0.0.1']).fetch(url, ask))]).toEqual([status, 'redirect'])
    expect(seen.connections).toBe(1)
  }
})
