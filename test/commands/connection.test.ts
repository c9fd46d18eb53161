import { expect, test } from 'bun:test'
import { writeUses } from '../../src/account/upkeep.ts'
import { DAY_MS } from '../../src/clock.ts'
import { toEnvironment } from '../command-line.ts'
import { connectTo } from '../http/oauth/flow.ts'
import { runCommand } from '../run-cli.ts'
import { startService } from '../start-service.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type Listed = {
  id: string
  application: string
  member: string | null
  project: string
  days_left: number
  last_used_at: string | null
}

/**
 * The service with a connection of its member and one of another account's service key, and the command line beside it.
 */
async function startConnected() {
  const running = await startService()
  const { service, secret, org } = running
  const other = await org.addAccount('other')
  const serviceKey = await org.issueKey({
    project: await org.addProject('web', other),
  })
  const { token } = await connectTo(running.url).connect(secret)
  running.pass(1)
  await connectTo(running.url).connect(serviceKey.secret)

  const { clock, random, config } = service
  const base = { environment: toEnvironment(config), clock, random }
  const command = (...words: string[]) => runCommand(base, ['connection', ...words])
  const listed = async (...words: string[]) => JSON.parse((await command('list', '--json', ...words)).out) as Listed[]
  return { ...running, token, command, listed }
}

test('lists who connected, to what, for how long, and when it was last used', async () => {
  const { listed, as, token, pass, service } = await startConnected()
  expect(await listed()).toMatchObject([
    {
      application: 'Assistant',
      host: 'assistant.example',
      account: 'other',
      member: null,
      project: 'web',
      days_left: 30,
      last_used_at: null,
    },
    { application: 'Assistant', member: 'owner@localhost', project: 'default', days_left: 30, last_used_at: null },
  ])
  pass(10 * DAY_MS)
  await as(token).post(list)
  await writeUses(service)
  expect((await listed())[1]).toMatchObject({
    days_left: 20,
    last_used_at: new Date(service.clock.now()).toISOString(),
  })
})

test('lists those of one account or project', async () => {
  const { listed } = await startConnected()
  const projects = async (...words: string[]) => (await listed(...words)).map(({ project }) => project)
  expect(await projects('--account', 'other')).toEqual(['web'])
  expect(await projects('--project', 'default')).toEqual(['default'])
  expect(await projects('--account', 'other', '--project', 'web')).toEqual(['web'])
})

test('prints a table for people', async () => {
  const { command } = await startConnected()
  const { out } = await command('list', '--project', 'default')
  expect(out.split('\n')[0]?.split(/ {2,}/)).toEqual([
    'APPLICATION',
    'RETURNS TO',
    'MEMBER',
    'PROJECT',
    'DAYS LEFT',
    'LAST USED',
    'ID',
  ])
  expect(out).toMatch(/Assistant +assistant\.example +owner@localhost +default +30 +- /)
})

test('revokes a connection: its token is dead at the next call, its key is not', async () => {
  const { listed, command, as, token, post, service } = await startConnected()
  expect((await as(token).post(list)).status).toBe(200)
  const [mine] = await listed('--project', 'default')
  const id = mine?.id ?? ''
  expect(await command('revoke', id)).toEqual({ status: 0, out: `revoked ${id}\n`, err: '' })
  const refused = await as(token).post(list)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
  expect((await post(list)).status).toBe(200)
  expect(await listed('--project', 'default')).toEqual([])
  expect(await service.store.control.listAudit({ act: 'connection.revoke', limit: 9 })).toMatchObject([
    { act: 'connection.revoke', target: id, actor: 'operator', via: 'command line' },
  ])
})

test('lists none that cannot be used: expired ones, and those of dead keys', async () => {
  const { listed, pass, service, key } = await startConnected()
  await service.store.control.write((tx) => tx.update('keys', { id: key.id }, { revokedAt: service.clock.now() }))
  expect((await listed()).map(({ project }) => project)).toEqual(['web'])
  pass(30 * DAY_MS)
  expect(await listed()).toEqual([])
})

test('refuses an id that is not there', async () => {
  const { command } = await startConnected()
  expect(await command('revoke', 'nothing')).toEqual({ status: 1, out: '', err: "memsvc: no connection 'nothing'\n" })
})
