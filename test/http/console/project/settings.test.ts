import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { subscribe } from '../../../../src/account/subscription/subscription.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { claudeLine, createUploadClient } from '../../../history/upload-client.ts'
import { startOrganization } from '../organization.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('renames a project; a name in use is refused with what was typed', async () => {
  const { at, get, post } = await startOrganization()
  const refused = await post(`${at}/settings`, { name: 'closed' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('value="closed"')
  expect((await post(`${at}/settings`, { name: 'Mill' })).place).toStartWith(`${at}/settings?done=project.renamed`)
  expect((await get(`${at}/settings`)).text).toContain('Settings · Mill')
})

test('shows how full the project is, and the workspaces this visitor sees, with the records they see', async () => {
  const { at, get, call, as, held } = await startOrganization()
  await call('remember', { content: 'Releases go out on Tuesdays' })
  await call('remember', { content: 'The second thing', workspace: 'plans' })
  await as(held.secret).call('remember', { content: 'A draft of Mel’s', scope: 'draft' })
  await as(held.secret).call('remember', { content: 'Another of Mel’s', scope: 'draft', workspace: 'secret-plans' })
  const { text } = await get(`${at}/settings`)
  expect(text).toContain('4 of 10,000,000')
  const rows = [
    ...text.matchAll(
      /data-label="Name" class="long"><bdi>([^<]+)<\/bdi><\/td><td data-label="Records you see" class="number">(\d+)/g,
    ),
  ]
  expect(rows.map(([, name, records]) => [name, records])).toEqual([
    ['default', '1'],
    ['plans', '1'],
  ])
})

test('shows how much of session histories is stored, of everybody', async () => {
  const { at, get, url, held } = await startOrganization()
  expect((await get(`${at}/settings`)).text).toContain('<dd>0 bytes of 1 TiB</dd>')
  const client = createUploadClient(url, held.secret)
  await client.append(await client.head(), [claudeLine('u1', 'of Mel')])
  const { text } = await get(`${at}/settings`)
  expect(text).toMatch(/<dt>Session histories<\/dt><dd>[1-9][\d,.]* (bytes|KiB) of 1 TiB<\/dd>/)
  expect(text).not.toContain('of Mel')
})

test('shows fifty workspaces at a time', async () => {
  const { at, get, call } = await startOrganization()
  for (let i = 10; i < 61; i++) await call('remember', { content: 'a record', workspace: `area-${i}` })
  expect((await get(`${at}/settings`)).text.match(/<bdi>area-\d+</g)).toHaveLength(50)
  expect((await get(`${at}/settings?after=area-59`)).text).toContain('<bdi>area-60<')
})

test('removes a workspace with all its records, and not one that is none to this visitor', async () => {
  const { at, post, call, as, held, service, admin } = await startOrganization()
  await call('remember', { content: 'one of many', workspace: 'old' })
  await as(held.secret).call('remember', { content: 'a draft', scope: 'draft', workspace: 'old' })
  await as(held.secret).call('remember', { content: 'a draft', scope: 'draft', workspace: 'hidden' })
  expect((await post(`${at}/settings/workspaces/remove`, { workspace: 'old' })).place).toBe(
    `${at}/settings?done=workspace.removed`,
  )
  expect((await as(held.secret).call('search', { query: 'draft', workspace: 'old' })).text).toContain(
    "workspace 'old' is not active",
  )
  const refused = await post(`${at}/settings/workspaces/remove`, { workspace: 'hidden' })
  expect(refused.text).toContain('Workspace &#x27;hidden&#x27; is not active.')
  expect((await as(held.secret).call('search', { query: 'draft', workspace: 'hidden' })).isError).toBe(false)
  const lines = await service.store.control.listAudit({ act: 'workspace.remove', limit: 9 })
  expect(lines).toMatchObject([{ target: 'old', via: '127.0.0.1', details: { forgotten: 2 } }])
  expect(lines[0]?.actor).not.toBe(`member:${admin.id}`)
})

test('renames a workspace and merges it into another, and the audit log names both', async () => {
  const { at, get, post, call, service } = await startOrganization()
  await call('remember', { content: 'Delivery is on Tuesdays', fact_key: 'delivery', workspace: 'newshop' })
  await call('remember', { content: 'Delivery is on Thursdays', fact_key: 'delivery' })
  const renamed = await post(`${at}/settings/workspaces/rename`, { workspace: 'newshop', new_name: 'shop' })
  expect(renamed.place).toStartWith(`${at}/settings?done=workspace.renamed`)
  const refused = await post(`${at}/settings/workspaces/rename`, { workspace: 'shop', new_name: 'Default' })
  expect(refused.text).toContain('There is a workspace &#x27;default&#x27; already; merge the two.')
  expect((await get(`${at}/settings`)).text).toContain('<bdi>shop</bdi>')
  const merged = await post(`${at}/settings/workspaces/merge`, { merged: 'shop', into: 'default' })
  expect(merged.place).toBe(`${at}/settings?done=workspace.merged`)
  expect((await call('search', { query: 'delivery' })).structured?.result).toMatchObject([
    { status: 'unverified' },
    { status: 'superseded' },
  ])
  const lines = await service.store.control.listAudit({ limit: 9 })
  expect(lines.filter(({ act }) => act.startsWith('workspace.'))).toMatchObject([
    { act: 'workspace.merge', target: 'shop', details: { into: 'default', moved: 1, there: 0 } },
    { act: 'workspace.rename', target: 'newshop', details: { new_name: 'shop' } },
  ])
})

test('keeps workspaces closed without a subscription, and unremoved in the grace period', async () => {
  const { at, again, post, call, service, account, pass } = await startOrganization()
  await call('remember', { content: 'one', workspace: 'old' })
  await subscribe(service, COMMAND_LINE, { account, plan: 'team', until: service.clock.now() + DAY_MS })
  pass(2 * DAY_MS)
  const refused = await post(`${at}/settings/workspaces/remove`, { workspace: 'old' })
  expect(refused.text).toContain('Memory is read-only during the grace period')
  expect(refused.text).toContain('<bdi>old</bdi>')
  pass(20 * DAY_MS)
  const { status, text } = await (await again()).get(`${at}/settings`)
  expect(status).toBe(200)
  expect(text).toContain('This account is suspended because its subscription expired')
  expect(text).not.toContain('<bdi>old</bdi>')
})

test('enables and disables the account’s integrations here', async () => {
  const { at, get, post, service, project, org } = await startOrganization()
  const { id } = await org.addIntegration({ slug: 'wiki', name: 'Wiki', url: 'https://mcp.example.org/mcp' })
  expect((await get(`${at}/settings`)).text).toContain('>disabled<')
  expect((await post(`${at}/settings/integrations`, { integration: id, enabled: 'yes' })).place).toContain(
    'done=integration.enabled',
  )
  expect(
    (await service.store.control.list('enabledIntegrations', { integrationId: id })).map(({ projectId }) => projectId),
  ).toEqual([project.id])
  expect((await get(`${at}/settings`)).text).toContain('>enabled<')
  await post(`${at}/settings/integrations`, { integration: id, enabled: 'no' })
  expect(
    (await service.store.control.list('enabledIntegrations', { integrationId: id })).map(({ projectId }) => projectId),
  ).toEqual([])
})

test('removes the project for good once an owner typed its name; an admin does not', async () => {
  const { at, get, post, asAdmin, service, project } = await startOrganization()
  expect((await asAdmin.get(`${at}/settings`)).text).not.toContain('/settings/remove')
  const byAdmin = await asAdmin.post(`${at}/settings/remove`, { typed: project.name })
  expect(byAdmin.text).toContain('Only an owner of the account may do this.')
  expect((await post(`${at}/settings/remove`, { typed: 'other' })).text).toContain(
    'What was typed is not &#x27;default&#x27;: nothing has changed.',
  )
  expect(await service.store.control.findProjects(project.id)).toHaveLength(1)

  expect((await post(`${at}/settings/remove`, { typed: ' default ' })).place).toBe('/console?done=project.removed')
  expect(await service.store.control.findProjects(project.id)).toEqual([])
  expect((await get(`${at}/settings`)).status).toBe(404)
})

test('a key of a removed project opens nothing', async () => {
  const { at, post, post: send, as, secret } = await startOrganization()
  await send(`${at}/settings/remove`, { typed: 'default' })
  expect((await as(secret).post(list)).status).toBe(401)
  expect((await post(`${at}/settings`, { name: 'again' })).status).toBe(400)
})
