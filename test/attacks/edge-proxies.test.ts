import { expect, test } from 'bun:test'
import { readNetworks } from '../../src/config/networks.ts'
import { readConfig } from '../../src/config.ts'
import { clientIpOf } from '../../src/http/request.ts'
import { startService } from '../start-service.ts'

/** The address of a request from this peer that says this. */
function seen(peer: string, said: string | undefined, trusted: string[]): string {
  const request = new Request('http://localhost/', { headers: said === undefined ? {} : { 'x-forwarded-for': said } })
  const server = { requestIP: () => ({ address: peer, port: 1, family: 'IPv4' as const }) }
  return clientIpOf({ trustedProxies: readNetworks(trusted) }, request, server)
}

test('believes X-Forwarded-For from nobody unless the operator names the proxy', async () => {
  for (const peer of ['127.0.0.1', '10.0.0.7', '192.168.1.1', '172.17.0.1', '203.0.113.7'])
    expect(seen(peer, '198.51.100.1', [])).toBe(peer)
  const { url, service, secret } = await startService({ config: { trustedProxies: [] } })
  const headers = { authorization: 'Bearer svc_wrong', 'x-forwarded-for': '198.51.100.1' }
  await fetch(`${url}/mcp`, { method: 'POST', headers, body: secret })
  expect(await service.store.control.listAudit({ act: 'sign-in.fail', limit: 1 })).toMatchObject([{ via: '127.0.0.1' }])
})

test.each([
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', 'forged, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['127.0.0.1', '1.1.1.1, 198.51.100.1, 10.1.2.3, 10.9.9.9', '198.51.100.1'],
  ['127.0.0.1', '10.1.2.3, 10.9.9.9', '10.1.2.3'],
  ['127.0.0.1', '1.1.1.1, nonsense', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, nonsense, 10.1.2.3', '10.1.2.3'],
  ['127.0.0.1', '1.1.1.1,, ', '127.0.0.1'],
  ['127.0.0.1', '127.1', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['127.0.0.1', '[2001:db8:1:2::3]:4711', '2001:db8:1:2::/64'],
  ['127.0.0.1', '2001:db8:1:2::3', '2001:db8:1:2::/64'],
  ['fd00::1', '198.51.100.1', '198.51.100.1'],
  ['11.0.0.1', '198.51.100.1', '11.0.0.1'],
])('walks the chain from the right over proxies it trusts: from %s, %j is %s', (peer, said, address) => {
  expect(seen(peer, said, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])).toBe(address)
})

test('a chain of ten thousand proxies is looked through no further than it may be long', () => {
  expect(seen('10.0.0.1', '10.0.0.2, '.repeat(10_000), ['10.0.0.0/8'])).toBe('10.0.0.1')
  expect(seen('10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(10_000)}`, ['10.0.0.0/8'])).toBe('10.0.0.2')
})

test('nothing is believed of X-Forwarded-Host and X-Forwarded-Proto', async () => {
  const { url } = await startService()
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const response = await fetch(`${url}/.well-known/oauth-protected-resource`, { headers })
  expect(await response.json()).toMatchObject({ resource: `${url}/mcp` })
})

test('SVC_TRUSTED_PROXIES takes addresses and networks, and names what is neither', () => {
  expect(readConfig({}).trustedProxies).toEqual([])
  const read = readConfig({ SVC_TRUSTED_PROXIES: '10.0.0.7, 172.16.0.0/12,fd00::/8, ::1' }).trustedProxies
  expect(read.map(([address, bits]) => `${address}/${bits}`)).toEqual([
    '10.0.0.7/32',
    '172.16.0.0/12',
    'fd00::/8',
    '::1/128',
  ])
  for (const wrong of [
    'proxy.internal',
    '10/8',
    '10.0.0.0/33',
    '*',
    '10.0.0.0/',
    '0x7f.1',
    '::ffff:10.0.0.0/104',
    '10.0.0.1/8/8',
  ]) {
    expect(() => readConfig({ SVC_TRUSTED_PROXIES: `127.0.0.1,${wrong}` })).toThrow(
      `SVC_TRUSTED_PROXIES must hold addresses and networks such as 10.0.0.0/8, not '${wrong}'`,
    )
  }
})
