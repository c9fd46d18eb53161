import { expect, test } from 'bun:test'
import { checkPublicUrl } from '../../src/http/public-url.ts'

const PUBLIC = { address: '93.184.215.14', family: 4 }
const NAMES: Record<string, { address: string; family: number }[]> = {
  'memory.example': [PUBLIC, { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 }],
  'six.example': [{ address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 }],
  'inside.example': [PUBLIC, { address: '10.0.0.8', family: 4 }],
  '192.168.1.5': [{ address: '192.168.1.5', family: 4 }],
}

async function resolve(host: string) {
  const found = NAMES[host]
  if (found === undefined) throw new Error('ENOTFOUND')
  return found
}

const check = (publicUrl: string) => checkPublicUrl(publicUrl, resolve)

test('says nothing of an address that hosted assistants can reach', async () => {
  expect(await check('https://memory.example')).toEqual([])
})

test.each([
  ['http://memory.example', /must begin with https:/],
  ['https://memory.example/memsvc', /must have no path, but has '\/memsvc'/],
  ['https://memory.example:8443', /has the port 8443/],
  ['https://localhost:8787', /names this machine/],
  ['http://127.0.0.1:8787', /names this machine/],
  ['https://nowhere.example', /does not resolve/],
  ['https://192.168.1.5', /192\.168\.1\.5: not on the public internet/],
  ['https://inside.example', /10\.0\.0\.8: not on the public internet/],
  ['https://six.example', /has no IPv4 address/],
])('says what is wrong with %p', async (publicUrl, fault) => {
  expect(await check(publicUrl)).toEqual([expect.stringMatching(fault)])
})
