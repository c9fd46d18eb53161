import { expect, test } from 'bun:test'
import { writeUses } from '../../../../src/account/upkeep.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { connectTo } from '../../oauth/flow.ts'
import { startOrganization } from '../organization.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** Connections by the owner's key and by the member's. */
async function startConnected() {
  const running = await startOrganization()
  const { url, service, secret, held } = running
  const connect = async (key: string, name: string) => {
    const { body } = await connectTo(url).register({ client_name: name })
    return { id: body.client_id, ...(await connectTo(url).connect(key)) }
  }
  const owners = await connect(secret, 'Assistant')
  running.pass(1)
  const members = await connect(held.secret, 'Assistant')
  const [byMember, byOwner] = (await service.store.control.listConnections({})).map(({ connection }) => connection.id)
  return { ...running, owners, members, byMember, byOwner }
}

test('shows the client, where it returns to, member, key, days left and last use', async () => {
  const { at, get, as, owners, pass, service, key, again } = await startConnected()
  pass(10 * DAY_MS)
  await as(owners.token).post(list)
  await writeUses(service)
  const { text } = await get(`${at}/connections`)
  for (const shown of [
    'Assistant',
    'assistant.example',
    'Owner',
    'Mel',
    `svc_${key.shown}…`,
    '20 days',
    '25 Jan 2026, 12:00 UTC',
    'never',
    '<h1>Connections <small class="quiet">2</small></h1>',
  ])
    expect(text).toContain(shown)
  pass(21 * DAY_MS)
  const later = await again()
  expect((await later.get(`${at}/connections`)).text).toContain('No connections.')
})

test('ends a connection at once', async () => {
  const { at, get, post, as, owners, byOwner } = await startConnected()
  expect((await as(owners.token).post(list)).status).toBe(200)
  expect((await post(`${at}/connections/${byOwner}/revoke`)).place).toBe(`${at}/connections?done=connection.revoked`)
  expect((await as(owners.token).post(list)).status).toBe(401)
  expect((await get(`${at}/connections`)).text).not.toContain(byOwner ?? '')
})

test('shows a member those made with their own keys, and ends no others for them', async () => {
  const { at, asMember, as, owners, members, byOwner, byMember } = await startConnected()
  const { text } = await asMember.get(`${at}/connections`)
  expect(text).toContain(byMember ?? 'nothing')
  expect(text).not.toContain(byOwner ?? '')
  const refused = await asMember.post(`${at}/connections/${byOwner}/revoke`)
  expect({ status: refused.status, said: refused.text.includes('There is no such connection.') }).toEqual({
    status: 400,
    said: true,
  })
  expect((await as(owners.token).post(list)).status).toBe(200)
  await asMember.post(`${at}/connections/${byMember}/revoke`)
  expect((await as(members.token).post(list)).status).toBe(401)
})

test('shows those of every project to owners and admins on one page', async () => {
  const { asAdmin, asMember, project, as, owners, byOwner } = await startConnected()
  const { text } = await asAdmin.get('/console/connections')
  expect(text).toContain(`href="/console/projects/${project.id}/connections"`)
  expect(text).toContain('Mel')
  expect((await asMember.get('/console/connections')).status).toBe(404)
  expect((await asAdmin.post(`/console/connections/${byOwner}/revoke`)).place).toBe(
    '/console/connections?done=connection.revoked',
  )
  expect((await as(owners.token).post(list)).status).toBe(401)
})

test('does not end a connection under the path of another project', async () => {
  const { post, closed, as, owners, byOwner } = await startConnected()
  expect((await post(`/console/projects/${closed.id}/connections/${byOwner}/revoke`)).status).toBe(400)
  expect((await as(owners.token).post(list)).status).toBe(200)
})
