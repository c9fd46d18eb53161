import { expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { changeIntegration } from '../../src/gateway/change-integration.ts'
import { decryptHeaders, rotateCredentials } from '../../src/gateway/credentials.ts'
import {
  addIntegration,
  describeIntegration,
  requireIntegration,
  storeIntegration,
} from '../../src/gateway/integration.ts'
import { openService, type Service } from '../../src/service.ts'
import { rejectionOf } from '../rejection-of.ts'
import { embeddedTest } from '../stored-data.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream } from './upstreams.ts'

const keyFileTest = embeddedTest('secret.key in the data folder')

const headers = { authorization: 'Bearer upstream-token' }

const fileOf = ({ config }: Service) => join(config.dataDir, 'secret.key')

/** The bytes of all files in the data folder, as text. */
function readAll({ config }: Service): string {
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: config.dataDir, dot: true })]
  return files.map((file) => readFileSync(join(config.dataDir, file), 'latin1')).join('\n')
}

keyFileTest('keeps credentials unreadable, with a key that only its owner can read', async () => {
  const upstream = startUpstream()
  const { service, raw, logged } = await startGateway({ url: upstream.url, headers })
  await raw('hub.echo')
  await service.gateway.close()
  expect(readAll(service)).not.toContain('upstream-token')
  expect(logged.join()).not.toContain('upstream-token')
  expect(statSync(fileOf(service)).mode & 0o777).toBe(0o600)
})

test('encrypts the same credential differently each time, and for one integration only', async () => {
  const { service, connect } = await startGateway()
  const one = await connect({ url: 'https://mcp.example.org/one', slug: 'one', headers })
  const two = await connect({ url: 'https://mcp.example.org/two', slug: 'two', headers })
  expect(one.headers).not.toBe(two.headers)
  expect(decryptHeaders(service, one)).toEqual(headers)
  const [version, keyId] = one.headers.split('.')
  for (const headers of [two.headers, `${version}.${keyId}.`, `${version}.${keyId}`])
    expect(() => decryptHeaders(service, { ...one, headers })).toThrow(
      "the credentials of integration 'one' are damaged",
    )
})

keyFileTest(
  'goes on after a process that was killed as it changed the key, also if the clock was set back since',
  async () => {
    const { service } = await startGateway({ url: 'https://one.example/mcp', headers })
    const lock = `${fileOf(service)}.lock`
    for (const year of [2_001, 2_101]) {
      writeFileSync(lock, '')
      const at = new Date(`${year}-01-01`)
      utimesSync(lock, at, at)
      expect(await rotateCredentials(service, COMMAND_LINE)).toBe(1)
      expect(existsSync(lock)).toBe(false)
    }
  },
)

keyFileTest('encrypts everything with a new key, while the service runs', async () => {
  const upstream = startUpstream()
  const { service, account, raw } = await startGateway({ url: upstream.url, headers })
  const key = readFileSync(fileOf(service), 'utf8')
  const [before] = await service.store.control.list('integrations', { accountId: account.id })
  expect(await rotateCredentials(service, COMMAND_LINE)).toBe(1)
  const [after] = await service.store.control.list('integrations', { accountId: account.id })
  expect(readFileSync(fileOf(service), 'utf8')).not.toBe(key)
  expect(after?.headers.split('.')[1]).not.toBe(before?.headers.split('.')[1])
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  expect(upstream.calls('tools/call')[0]?.headers.get('authorization')).toBe('Bearer upstream-token')
})

keyFileTest('two rotations and a new credential at once leave every credential readable, with one key', async () => {
  const { service, account, connect } = await startGateway({ url: 'https://mcp.example.org/one', slug: 'one', headers })
  const one = await requireIntegration(service, COMMAND_LINE, account, 'one')
  const beside = await Promise.all([openService(service), openService(service)])
  await Promise.all([
    ...beside.map((other) => rotateCredentials(other, COMMAND_LINE)),
    changeIntegration(service, COMMAND_LINE, one, { headers: { 'x-team': 'a' } }),
    connect({ url: 'https://mcp.example.org/two', slug: 'two', headers }),
  ])
  await Promise.all(beside.map((other) => other.close()))
  const kept = await service.store.control.list('integrations', { accountId: account.id })
  expect(kept.map((integration) => decryptHeaders(service, integration))).toEqual([
    { ...headers, 'x-team': 'a' },
    headers,
  ])
  expect(readFileSync(fileOf(service), 'utf8').trim().split('\n')).toHaveLength(1)
})

keyFileTest('a credential whose key is replaced while its integration is tested is not stored unreadable', async () => {
  const { service, account } = await startGateway()
  const input = { slug: 'hub', url: 'https://mcp.example.org/', headers }
  const described = await describeIntegration(service, COMMAND_LINE, account, input)
  await rotateCredentials(service, COMMAND_LINE)
  expect(await rejectionOf(storeIntegration(service, COMMAND_LINE, described))).toBe(
    "the key that the credentials of integration 'hub' were encrypted with is missing",
  )
  const again = await describeIntegration(service, COMMAND_LINE, account, input)
  await storeIntegration(service, COMMAND_LINE, again)
  const [kept] = await service.store.control.list('integrations', { accountId: account.id })
  expect(kept && decryptHeaders(service, kept)).toEqual(headers)
})

keyFileTest('moves from the file to keys of the environment, and from an older of them to a newer', async () => {
  const { service, connect, account } = await startGateway()
  await connect({ url: 'https://mcp.example.org/one', headers })
  const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const find = async () =>
    (await service.store.control.list('integrations', { accountId: account.id })).at(0) ?? expect.unreachable()
  for (const secretKeys of [[older], [newer, older]]) {
    const given = { ...service, config: { ...service.config, secretKeys } }
    expect(decryptHeaders(given, await find())).toEqual(headers)
    await rotateCredentials(given, COMMAND_LINE)
  }
  rmSync(fileOf(service))
  expect(decryptHeaders({ ...service, config: { ...service.config, secretKeys: [newer] } }, await find())).toEqual(
    headers,
  )
  expect(existsSync(fileOf(service))).toBe(false)
})

keyFileTest('says so when the key is missing or damaged, and memory goes on', async () => {
  const upstream = startUpstream()
  const { service, call, connect } = await startGateway()
  await connect({ url: upstream.url, headers })
  rmSync(fileOf(service))
  expect(await call('hub.echo')).toBeToolError(
    "integration 'hub' failed (secret): the key that the credentials of integration 'hub' were encrypted with is missing",
  )
  writeFileSync(fileOf(service), 'nonsense')
  chmodSync(fileOf(service), 0o600)
  expect(await call('hub.echo')).toBeToolError(
    "integration 'hub' failed (secret): the file secret.key is damaged; restore it from a backup",
  )
  expect(await call('remember', { content: 'The build runs on Bun' })).toMatchObject({ isError: false })
})

test.each([
  [{ slug: 'Hub' }, /^the slug must have/],
  [{ slug: 'h' }, /^the slug must have/],
  [{ url: 'ftp://hub.example' }, /^the URL must be an https URL/],
  [{ url: 'https://user:pass@hub.example' }, /^the URL must have no user/],
  [{ timeoutMs: 10 }, /^the timeout must be from 1 to 600 seconds$/],
  [{ maxBytes: 1 }, /^the largest answer must be from 1024 to \d+ bytes$/],
  [{ headers: { Host: 'x' } }, /^the header 'Host' is the service's own/],
  [{ headers: { 'Mcp-Session-Id': 'x' } }, /is the service's own/],
  [{ headers: { 'bad name': 'x' } }, /is not the name of a header/],
  [{ headers: { Authorization: 'secret\r\nX: y' } }, /^the value of the header 'Authorization' must have/],
])('refuses to connect %j', async (wish, reason) => {
  const { service, account } = await startGateway()
  expect(
    await rejectionOf(
      addIntegration(service, COMMAND_LINE, account, { slug: 'hub', url: 'https://hub.example', ...wish }),
    ),
  ).toMatch(reason)
})
