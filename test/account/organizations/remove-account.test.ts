import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { purgeAccounts } from '../../../src/account/organizations/remove-account.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { commandsBeside } from '../../command-line.ts'
import { claudeLine, createUploadClient } from '../../history/upload-client.ts'
import { inSession } from '../../http/console/browse.ts'
import { startOrganization } from '../../http/console/organization.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { embeddedTest, readControlText } from '../../stored-data.ts'

/**
 * Beside the first account another one, Mill, whose owner has a key, a password-less session, an integration, an
 * invitation and a record.
 */
async function startWithMill() {
  const running = await startOrganization()
  const { service, org, url, as } = running
  const mill = await org.addAccount('Mill of the river')
  const project = await org.addProject('grain', mill)
  const department = await org.addDepartment('Millstones', mill)
  const mia = await org.addMember('Mia', { account: mill, role: 'owner', department })
  const key = await org.keyOf(mia, project)
  await org.connect(
    { slug: 'silo', name: 'Silo of the mill', url: 'https://mcp.example.org/silo' },
    { account: mill, project },
  )
  const { call } = as(key)
  expect(await call('remember', { content: 'The miller grinds rye' })).toMatchObject({ isError: false })
  const commands = commandsBeside(service)
  await commands.json('member', 'invite', '--account', mill.name, '--email', 'mo@mill.example')
  const ask = async () => (await as(key).post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status
  return { ...running, ...commands, mill, project, key, ask, asMia: await inSession(service, url, mia) }
}

const remove = ({ json, mill }: Awaited<ReturnType<typeof startWithMill>>) =>
  json<{ removed_at: string; erased_at: string }>('account', 'remove', mill.name, '--confirm', mill.name)

test('an account is removed by its typed name: its keys and people are refused at once, until it is restored', async () => {
  const running = await startWithMill()
  const { json, refusal, memsvc, mill, ask, asMia } = running
  for (const confirm of [[], ['--confirm', 'Mill']])
    expect(await refusal('account', 'remove', mill.name, ...confirm)).toContain('add --confirm with its name to do it')
  expect(await ask()).toBe(200)
  expect(await remove(running)).toMatchObject({
    removed_at: '2026-01-15T12:00:00.000Z',
    erased_at: '2026-02-14T12:00:00.000Z',
  })
  expect([await ask(), (await asMia.get('/console')).status]).toEqual([401, 303])
  expect((await memsvc('account', 'list')).out).toMatch(/Mill of the river .*2026-01-15/)
  expect(await json<{ name: string }[]>('project', 'list')).not.toContainEqual(
    expect.objectContaining({ name: 'grain' }),
  )
  expect(await refusal('key', 'issue', '--project', 'grain')).toBe("no project 'grain'")
  expect(await refusal('department', 'list', '--account', mill.name)).toContain(
    "'memsvc account restore' brings it back",
  )
  expect(await refusal('account', 'remove', mill.name, '--confirm', mill.name)).toContain('is removed already')
  expect(await refusal('account', 'resume', mill.id)).toContain('is removed')
  expect(await refusal('account', 'add', mill.name)).toContain('which is removed and can be restored')
  await json('account', 'restore', mill.name)
  expect([await ask(), (await asMia.get('/console')).status]).toEqual([200, 200])
  expect(await refusal('account', 'restore', mill.name)).toContain('is not removed')
  expect((await json<{ act: string }[]>('audit', '--account', mill.name)).map(({ act }) => act)).toContain(
    'account.restore',
  )
})

test('one that was suspended before is suspended still when it is restored', async () => {
  const running = await startWithMill()
  const { json, mill, pass, ask } = running
  await json('account', 'suspend', mill.name)
  pass(DAY_MS)
  await remove(running)
  await json('account', 'restore', mill.name)
  expect(await ask()).toBe(401)
  await json('account', 'resume', mill.name)
  expect(await ask()).toBe(200)
})

test('the first account cannot be removed, which would make others the operator', async () => {
  const { refusal, account } = await startWithMill()
  expect(await refusal('account', 'remove', account.name, '--confirm', account.name)).toContain(
    'the first account cannot be removed',
  )
})

test('after the retention period everything of it is erased, and nothing of others; one line says so', async () => {
  const running = await startWithMill()
  const { service, json, refusal, mill, pass, call } = running
  await call('remember', { content: 'The first account stays' })
  await remove(running)
  pass(30 * DAY_MS - 1)
  await purgeAccounts(service)
  expect(await json('account', 'show', mill.name)).toMatchObject({ name: mill.name })
  pass(1)
  expect(await refusal('account', 'restore', mill.name)).toContain('too long ago')
  await purgeAccounts(service, () => true)
  await purgeAccounts(service)
  expect(await service.store.control.find('accounts', { id: mill.id })).toBeUndefined()
  const kept = await readControlText(service.config)
  for (const text of [
    'Mill of the river',
    'mia@example.org',
    'mo@mill.example',
    'Silo of the mill',
    'Millstones',
    'grain',
  ])
    expect(kept).not.toContain(text)
  const [line] = await service.store.control.listAudit({ act: 'account.purge', limit: 1 })
  expect(line).toMatchObject({ actor: 'service', accountId: null, target: mill.id })
  expect(kept).toContain('Elsewhere')
  await json('account', 'add', mill.name)
})

test('killed before the log is emptied, a service has nothing of it in a file after the next purge', async () => {
  const running = await startWithMill()
  const { service, mill, pass } = running
  await remove(running)
  pass(30 * DAY_MS)
  const { control } = service.store
  const scrub = () => Promise.reject(new Error('killed'))
  const killed = { ...service, store: { ...service.store, control: { ...control, scrub } } }
  expect(await rejectionOf(purgeAccounts(killed))).toBe('killed')
  expect(await control.find('accounts', { id: mill.id })).toBeUndefined()
  await purgeAccounts(service)
  const kept = await readControlText(service.config)
  for (const text of ['Mill of the river', 'mia@example.org']) expect(kept).not.toContain(text)
  expect(await control.listAudit({ act: 'account.purge', limit: 2 })).toMatchObject([{ target: mill.id }])
})

test('the line of an erased account is written with its last row, however many rows it had', async () => {
  const running = await startWithMill()
  const { service, mill, pass } = running
  const { control } = service.store
  await remove(running)
  pass(30 * DAY_MS)
  let left = 0
  const rollback = new Error('only counted')
  const count = control.write(async (tx) => {
    left = await tx.eraseAccount(mill.id, 100_000)
    throw rollback
  })
  expect(await rejectionOf(count)).toBe(rollback.message)
  const errors = Array.from({ length: 500 - left }, () => ({
    at: 0,
    accountId: mill.id,
    projectId: running.project.id,
    authorId: 'm',
    keyId: 'k',
    tool: 'search',
    outcome: 'failed' as const,
    reason: 'internal',
    calls: 1,
  }))
  await control.write((tx) => tx.insert('callErrors', errors))
  // Stopped as soon as the first 500 rows, which are all, are erased.
  let looks = 0
  await purgeAccounts(service, () => ++looks > 3)
  await purgeAccounts(service)
  expect(await control.find('accounts', { id: mill.id })).toBeUndefined()
  expect(await control.listAudit({ act: 'account.purge', limit: 2 })).toMatchObject([{ target: mill.id }])
})

test('its session histories are refused at once, and erased with it', async () => {
  const running = await startWithMill()
  const { service, url, key, project, pass } = running
  const client = createUploadClient(url, key)
  const head = await client.append(await client.head({ session_id: 'flood' }), [
    claudeLine('1', 'When the river rose, the miller left'),
  ])
  await remove(running)
  expect(await client.put(head, [claudeLine('2', 'It fell again')])).toMatchObject({ status: 401 })
  expect(await service.store.hasHistory(project.id)).toBe(true)
  pass(30 * DAY_MS)
  await purgeAccounts(service)
  expect(await service.store.hasHistory(project.id)).toBe(false)
  const kept = await readdir(service.config.dataDir, { recursive: true })
  expect(kept.filter((path) => path.includes(project.id))).toEqual([])
})

embeddedTest('files of projects')(
  'its files are erased, and what a stop has left is erased the next time',
  async () => {
    const running = await startWithMill()
    const { service, project, pass } = running
    const file = join(service.config.dataDir, 'projects', `${project.id}.db`)
    await remove(running)
    pass(30 * DAY_MS)
    let looks = 0
    await purgeAccounts(service, () => ++looks > 2)
    expect([existsSync(file), (await service.store.control.find('accounts', { id: running.mill.id }))?.name]).toEqual([
      false,
      'Mill of the river',
    ])
    await purgeAccounts(service)
    expect(await service.store.control.find('accounts', { id: running.mill.id })).toBeUndefined()
  },
)

test('owners remove their own account in the console by typing its name; the operator restores it there', async () => {
  const { get, post, asMia, mill, ask, service } = await startWithMill()
  const page = `/console/operator/accounts/${mill.id}`
  expect((await get('/console/account')).text).not.toContain('Remove the account')
  expect((await asMia.get('/console/account')).text).toContain('Remove the account')
  expect((await asMia.post('/console/account/remove', { typed: 'Mill' })).status).toBe(400)
  expect(await ask()).toBe(200)
  expect((await asMia.post('/console/account/remove', { typed: mill.name })).status).toBe(303)
  expect([await ask(), (await asMia.get('/console')).status]).toEqual([401, 303])
  expect((await get(page)).text).toContain('It is erased for good after')
  await post(`${page}/restore`)
  expect(await ask()).toBe(200)
  expect((await get(page)).text).not.toContain('Remove the account')
  await post(`${page}/suspend`, { typed: mill.name })
  expect((await get(page)).text).toContain('Remove the account')
  expect((await post(`${page}/remove`, { typed: 'Mill' })).status).toBe(400)
  await post(`${page}/remove`, { typed: mill.name })
  expect(await ask()).toBe(401)
  expect((await get('/console/operator')).text).toContain('>removed<')
  expect(
    (await service.store.control.listAudit({ accountId: mill.id, act: 'account.remove', limit: 9 })).map(
      ({ actor }) => actor,
    ),
  ).toEqual(['operator', expect.stringMatching(/^member:/)])
})

test('nobody but its owners and the operator removes or restores an account', async () => {
  const { asAdmin, asStranger, asMember, mill, ask } = await startWithMill()
  for (const { post } of [asAdmin, asMember, asStranger])
    for (const act of ['remove', 'restore'])
      expect((await post(`/console/operator/accounts/${mill.id}/${act}`, { typed: mill.name })).status).toBe(404)
  expect((await asAdmin.post('/console/account/remove', { typed: 'default' })).status).toBe(400)
  expect(await ask()).toBe(200)
})
