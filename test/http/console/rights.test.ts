import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { removeMember } from '../../../src/account/organizations/change-member.ts'
import { inviteMember } from '../../../src/account/organizations/invitation.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { rememberAs } from '../../as-caller.ts'
import { readControl } from '../../stored-data.ts'
import { waitUntil } from '../../wait-until.ts'
import { connectTo } from '../oauth/flow.ts'
import { startOrganization } from './organization.ts'

const MARKUP = '<script>alert("x")</script>'

/** An organization that has one of everything, named as somebody would who wants to be obeyed by a browser. */
async function startFull() {
  const running = await startOrganization()
  const { service, account, project, secret, url, owner, org } = running
  const department = await org.addDepartment(`department ${MARKUP}`)
  const wish = { email: 'eve@example.org', role: 'member' as const, department, validityMs: DAY_MS }
  await inviteMember(service, COMMAND_LINE, { account, ...wish })
  const integration = await org.connect({ slug: 'wiki', name: `wiki ${MARKUP}`, url: 'http://127.0.0.1:9/mcp' })
  const { key } = await org.issueKey({ label: `key ${MARKUP}` })
  const { body } = await connectTo(url).register({ client_name: `app ${MARKUP}` })
  expect(body.client_id).toBeString()
  for (let i = 0; i < 2; i++) await connectTo(url).connect(secret)
  await rememberAs(service, actingAs(account, project, owner), { content: 'a record', workspace: 'plans' })
  const [connection = '', other = ''] = (await service.store.control.listConnections({})).map(
    ({ connection }) => connection.id,
  )
  // People counts the records of all projects, which makes the files of those that are not used yet.
  await Promise.all([running.get('/console/people'), running.asStranger.get('/console/people')])
  return { ...running, department, integration, key, connection, other, zoe: await running.org.addMember('Zoe') }
}

type Full = Awaited<ReturnType<typeof startFull>>
type Post = [path: string, form: Record<string, string>]

/**
 * Every form of the pages that manage an account, filled in so that it would do something, also after those before it.
 */
function everyPost({ at, key, connection, other, department, integration, project, zoe }: Full): Post[] {
  const [people, wiki] = ['/console/people', `/console/integrations/${integration.slug}`]
  return [
    [`${at}/keys`, { label: 'for no one', holder: '' }],
    [`${at}/keys/${key.id}/rotate`, { overlap: '1h' }],
    [`${at}/keys/${key.id}/revoke`, {}],
    [`${at}/connections/${connection}/revoke`, {}],
    [`/console/connections/${other}/revoke`, {}],
    [`${at}/settings`, { name: 'renamed' }],
    [`${at}/settings/workspaces/remove`, { workspace: 'plans' }],
    [`${at}/settings/integrations`, { integration: integration.id, enabled: 'no' }],
    [`${at}/settings/remove`, { typed: project.name }],
    [`${people}/invitations`, { email: 'new@example.org', role: 'member', department: '', days: '7' }],
    [`${people}/invitations/withdraw`, { address: 'eve@example.org' }],
    [`${people}/departments`, { name: 'new' }],
    [`${people}/departments/rename`, { which: department.id, to: 'renamed' }],
    [`${people}/departments/remove`, { department: department.id }],
    [`${people}/${zoe.id}`, { role: 'admin', department: '' }],
    [`${people}/${zoe.id}/projects`, { project: project.id, open: 'yes' }],
    [`${people}/${zoe.id}/link`, {}],
    [`${people}/${zoe.id}/remove`, { typed: zoe.email }],
    ['/console/integrations', { slug: 'new', url: 'https://mcp.example.org/' }],
    [`${wiki}/test`, {}],
    [`${wiki}/projects`, { project: project.id, enabled: 'yes' }],
    [
      `${wiki}/settings`,
      { name: 'ours', mode: 'read-write', timeout: '90', sessions: 'key', header: 'Authorization', credential: 'x' },
    ],
    [`${wiki}/tools`, { tool: 'echo' }],
    [`${wiki}/remove`, { typed: 'wiki' }],
    ['/console/account', { name: 'renamed' }],
  ]
}

/** Every page that manages an account. */
function everyPage({ at, key, admin, owner }: Full): string[] {
  const account = [
    'people',
    `people/${admin.id}`,
    `people/${owner.id}`,
    'integrations',
    'integrations/wiki',
    'connections',
    'calls',
    'audit',
    'account',
  ]
  return [
    ...['keys', `keys/${key.id}`, 'connections', 'calls', 'settings'].map((page) => `${at}/${page}`),
    ...account.map((page) => `/console/${page}`),
  ]
}

/** What would be another after anything was done. */
async function readAll({ service, project }: Full) {
  return { control: await readControl(service.config), project: await service.store.project(project.id).version() }
}

test('a member may do nothing of what owners and admins may', async () => {
  const full = await startFull()
  const before = await readAll(full)
  const closed: Post = [`/console/projects/${full.closed.id}/keys`, { label: 'for myself' }]
  for (const [path, form] of [...everyPost(full), closed]) {
    const { status, text } = await full.asMember.post(path, form)
    expect({ path, status, shown: text.includes('class="secret"') }).toEqual({ path, status: 400, shown: false })
  }
  expect(await readAll(full)).toEqual(before)
  const open = [`${full.at}/keys`, `${full.at}/connections`, `${full.at}/calls`]
  for (const path of everyPage(full)) {
    expect({ path, status: (await full.asMember.get(path)).status }).toEqual({
      path,
      status: open.includes(path) ? 200 : 404,
    })
  }
})

test('an owner of another account may do nothing here', async () => {
  const full = await startFull()
  const { department, integration, key, project, asStranger } = full
  const before = await readAll(full)
  // What names nothing of this account is theirs to do in their own.
  const own = [
    '/console/people/invitations',
    '/console/people/departments',
    '/console/integrations',
    '/console/account',
  ]
  for (const [path, form] of everyPost(full).filter(([path]) => !own.includes(path))) {
    expect({ path, status: (await asStranger.post(path, form)).status }).toEqual({ path, status: 400 })
  }
  expect(await readAll(full)).toEqual(before)

  const theirs = `/console/projects/${full.strange.id}`
  const mixed: Post[] = [
    [`${theirs}/keys`, { holder: full.member.id }],
    [`${theirs}/keys/${key.id}/revoke`, {}],
    [`${theirs}/connections/${full.connection}/revoke`, {}],
    [`${theirs}/settings/integrations`, { integration: integration.id, enabled: 'yes' }],
    ['/console/people/invitations', { email: 'x@example.org', role: 'member', days: '7', department: department.id }],
    [`/console/people/${full.stranger.id}`, { role: 'owner', department: department.id }],
  ]
  for (const [path, form] of mixed)
    expect({ path, status: (await asStranger.post(path, form)).status }).toEqual({ path, status: 400 })
  await asStranger.post('/console/integrations', { slug: 'own', url: 'https://mcp.example.org/' })
  expect(
    (await asStranger.post('/console/integrations/own/projects', { project: project.id, enabled: 'yes' })).status,
  ).toBe(400)
  const pages = everyPage(full).filter((path) => /[0-9a-f]{8}-|wiki/.test(path))
  for (const path of pages) expect({ path, status: (await asStranger.get(path)).status }).toEqual({ path, status: 404 })
})

test('nobody who has not signed in, and no other site, does or sees anything', async () => {
  const full = await startFull()
  const before = await readAll(full)
  for (const [path, form] of everyPost(full)) {
    const foreign = await full.post(path, form, { origin: 'https://elsewhere.example' })
    const framed = await full.post(path, form, { 'sec-fetch-site': 'cross-site' })
    const nobody = await full.asNobody.post(path, form)
    expect({ path, answers: [foreign.status, framed.status, nobody.place ?? nobody.status] }).toEqual({
      path,
      answers: [403, 403, Object.keys(form).length === 0 ? '/console/sign-in' : 401],
    })
  }
  for (const path of everyPage(full)) {
    expect((await full.asNobody.get(path)).place).toBe(`/console/sign-in?to=${encodeURIComponent(path)}`)
  }
  expect(await readAll(full)).toEqual(before)
})

test('looking changes nothing, and what people named runs nowhere', async () => {
  const full = await startFull()
  const before = await readAll(full)
  for (const path of everyPage(full)) {
    const { status, text, headers } = await full.get(path)
    expect({ path, status, kept: headers.get('cache-control') }).toEqual({ path, status: 200, kept: 'no-store' })
    expect(text).not.toContain('<script>')
  }
  expect((await full.get(`${full.at}/keys`)).text).toContain('key &lt;script&gt;')
  for (const [path] of everyPost(full)) expect([200, 303]).toContain((await full.get(path)).status)
  expect(await readAll(full)).toEqual(before)
})

test('an admin may do all of it but rename the account and remove a project', async () => {
  const full = await startFull()
  for (const [path, form] of everyPost(full)) {
    const before = await readAll(full)
    const { status } = await full.asAdmin.post(path, form)
    const may = !path.endsWith('/settings/remove') && path !== '/console/account'
    const changed = !Bun.deepEquals(await readAll(full), before)
    expect({ path, done: status < 400, changed }).toEqual({ path, done: may, changed: may })
  }
})

test('a form that ends after its sender lost the right to send it does nothing', async () => {
  const { url, service, asAdmin, admin, pendingRequests } = await startOrganization()
  const ending = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('name=late'))
      await ending.promise
      controller.enqueue(new TextEncoder().encode('r'))
      controller.close()
    },
  })
  const headers = { cookie: asAdmin.cookie() ?? '', origin: url, 'content-type': 'application/x-www-form-urlencoded' }
  const posted = fetch(`${url}/console/people/departments`, { method: 'POST', headers, body, redirect: 'manual' })
  await waitUntil('the form is on its way', () => pendingRequests() === 1)
  // A later request of hers was let in, so the form was too.
  expect((await asAdmin.get('/console')).status).toBe(200)
  await removeMember(service, COMMAND_LINE, admin)
  ending.resolve()
  expect((await posted).status).toBe(401)
  expect(await service.store.control.list('departments', { accountId: admin.accountId })).toEqual([])
})
