import { expect, test } from 'bun:test'
import type { LookupAddress } from 'node:dns'
import { isCallable, isInNetwork, readAllowed } from '../../src/outbound/address.ts'
import { createOutbound } from '../../src/outbound/outbound.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'

const INSIDE = [
  'https://127.0.0.1',
  'https://127.1',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://①②⑦.0.0.1',
  'https://0.0.0.0',
  'https://10.0.0.1',
  'https://172.16.0.1',
  'https://192.168.0.1',
  'https://100.64.0.1',
  'https://169.254.169.254',
  'https://100.100.100.200',
  'https://168.63.129.16',
  'https://224.0.0.1',
  'https://255.255.255.255',
  'https://198.18.0.1',
  'https://[::1]',
  'https://[::]',
  'https://[::127.0.0.1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://[0:0:0:0:0:ffff:a9fe:a9fe]',
  'https://[64:ff9b::7f00:1]',
  'https://[2002:7f00:1::]',
  'https://[fe80::1]',
  'https://[fd00:ec2::254]',
  'https://[ff02::1]',
]

const ask = { maxBytes: 1000, timeoutMs: 5000 }

async function failureOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown) => thrown)
  return error instanceof OutboundError ? error.code : `no failure: ${error}`
}

test.each(INSIDE)('refuses %s', async (url) => {
  expect(await failureOf(createOutbound([]).fetch(url, ask))).toBe('address')
})

test('refuses names of this machine', async () => {
  for (const url of ['https://localhost', 'https://LOCALHOST:8443/mcp', 'http://localhost'])
    expect(await failureOf(createOutbound([]).fetch(url, ask))).toBe('address')
})

test('refuses a name of which one address is inside', async () => {
  const outbound = createOutbound([], async () => [
    { address: '9.9.9.9', family: 4 },
    { address: '::ffff:10.0.0.1', family: 6 },
  ])
  expect(await failureOf(outbound.fetch('https://mixed.example', ask))).toBe('address')
})

test.each([
  ['10.0.0.1', '10.0.0.2'],
  ['fd00::1', 'fd00::2'],
])('of %s alone the operator allows no neighbour', (allowed, neighbour) => {
  expect([allowed, neighbour].map((address) => isInNetwork(readAllowed([allowed]), address))).toEqual([true, false])
})

test('refuses anything but https to a host the operator did not allow', async () => {
  const outbound = createOutbound(['10.0.0.0/8'], async () => [{ address: '9.9.9.9', family: 4 }])
  for (const url of [
    'http://public.example',
    'http://9.9.9.9',
    'ftp://public.example',
    'file:///etc/passwd',
    'https://a:b@public.example',
    'no url',
  ])
    expect(await failureOf(outbound.fetch(url, ask))).toBe('address')
})

const TEN = { address: '10.0.0.1', family: 4 }
const NINE = { address: '9.9.9.9', family: 4 }

/** What is known of a URL in advance, where its host has these addresses. */
const isCallableAt = (allow: string[], url: string, found: LookupAddress[]) =>
  isCallable(readAllowed(allow), new URL(url), () => Promise.resolve(found))

test.each(INSIDE)('knows in advance that %s is refused', async (url) => {
  expect(await isCallableAt([], url, [])).toBe(false)
})

test('knows in advance whether a name may be called, by its addresses and what the operator allowed', async () => {
  expect(await isCallableAt([], 'https://public.example', [NINE])).toBe(true)
  expect(await isCallableAt([], 'https://mixed.example', [NINE, TEN])).toBe(false)
  expect(await isCallableAt(['10.0.0.0/8'], 'https://mixed.example', [NINE, TEN])).toBe(true)
  expect(await isCallableAt(['10.0.0.0/8'], 'http://inside.example', [TEN])).toBe(true)
  expect(await isCallableAt(['10.0.0.0/8'], 'http://public.example', [NINE])).toBe(false)
  expect(await isCallableAt(['inside.example'], 'http://inside.example', [TEN])).toBe(true)
  expect(await isCallableAt(['10.0.0.0/8'], 'http://10.0.0.7:8080', [])).toBe(true)
})

test('a name without an address may be called once it has one, by https or in a network that the operator allowed', async () => {
  const unresolved = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await isCallable(readAllowed([]), new URL('https://later.example'), unresolved)).toBe(true)
  expect(await isCallable(readAllowed(['10.0.0.0/8']), new URL('http://later.example'), unresolved)).toBe(true)
  expect(await isCallable(readAllowed([]), new URL('http://later.example'), unresolved)).toBe(false)
})

test('names the entry of the allow-list that is neither host nor network', () => {
  for (const entry of ['10.0.0.0/64', 'a b', 'https://host', 'host/path', '*.example.com', 'nonsense/8', '127.1', '10'])
    expect(() => createOutbound([entry])).toThrow(new RegExp(`^must hold .*, not '${entry.replace(/[*.]/g, '\\$&')}'$`))
})
