import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { revokeKey } from '../../../src/account/keys/key.ts'
import { commandsBeside } from '../../command-line.ts'
import { signedIn, startConsole } from './browse.ts'
import { startOrganization } from './organization.ts'

test('an owner adds a project and is led to its first steps', async () => {
  const { get, post, service } = await startConsole()
  const added = await post('/console/projects', { name: 'Website' })
  expect(added.place).toMatch(/^\/console\/projects\/[\w-]{36}\/start\?done=project\.added$/)
  expect((await get('/console')).text).toContain('>Website</a>')
  const again = await post('/console/projects', { name: 'Website' })
  expect(again.status).toBe(400)
  expect(again.text).toContain('The account already has a project &#x27;Website&#x27;.')
  const [line] = await service.store.control.listAudit({ act: 'project.add', limit: 1 })
  expect(line).toMatchObject({ actor: expect.stringMatching(/^member:/), via: '127.0.0.1' })
})

test('somebody whose only project is empty is told what to do first', async () => {
  const { get, org, project } = await startConsole()
  const first = `<a class="button main" href="/console/projects/${project.id}/start">Connect an assistant</a>`
  expect((await get('/console')).text).toContain(first)
  await org.addProject('Another')
  expect((await get('/console')).text).not.toContain(first)
})

/** A page without its menus. */
const tableOf = (text: string) => text.slice(text.indexOf('<main'))

test('shows fifty projects at a time, here and where they are opened to a member', async () => {
  const { get, org } = await startConsole()
  const ben = await org.addMember('Ben')
  for (let i = 10; i < 70; i++) await org.addProject(`number ${i}`)
  for (const path of ['/console', `/console/people/${ben.id}`]) {
    const read = async (query = '') => tableOf((await get(`${path}${query}`)).text)
    const namesOn = (page: string) => page.match(/>number \d+</g) ?? []
    const [first, second] = [await read(), await read('?page=2')]
    expect(first).toContain(`href="${path}?page=2">More</a>`)
    const names = namesOn(first + second)
    expect([names.length, new Set(names).size]).toEqual([60, 60])
    // A list may have become shorter since a link was made.
    expect(namesOn(await read('?page=9'))).toEqual(namesOn(second))
  }
})

test('a member sees the projects that a live key of theirs opens or somebody opened to them, and adds none', async () => {
  const { service, url, pass, org } = await startConsole()
  const hidden = await org.addProject('Hidden')
  const ben = await org.addMember('Ben')
  const { get, post } = await signedIn(service, url, ben)
  expect((await get('/console')).text).toContain('No project is open to you yet.')
  const { key } = await org.issueKey({ member: ben })
  const page = await get('/console')
  expect(page.text).toContain('>default</a>')
  expect(page.text).not.toContain('Hidden')
  expect(page.text).not.toContain('Add a project')
  expect((await post('/console/projects', { name: 'Mine' })).text).toContain(
    'Only an owner or an admin of the account may do this.',
  )
  await org.issueKey({ project: hidden, member: ben, expiresAt: service.clock.now() + 1000 })
  expect((await get('/console')).text).toContain('Hidden')
  pass(1000)
  await revokeKey(service, COMMAND_LINE, key)
  expect((await get('/console')).text).toContain('No project is open to you yet.')
})

test('nobody sees a project of another account, or one that was removed', async () => {
  const { service, get } = await startConsole()
  const { json } = commandsBeside(service)
  await json('account', 'add', 'Mill')
  await json('project', 'add', 'Secret', '--account', 'Mill')
  await json('project', 'add', 'Old', '--account', 'default')
  await json('project', 'remove', 'Old', '--account', 'default', '--yes')
  const { text } = await get('/console')
  expect(text).not.toContain('Secret')
  expect(text).not.toContain('Old')
})

test('an owner sees the first steps that are left until they are done or put away; nobody else does', async () => {
  const { get, post, asAdmin, admin, cookie } = await startOrganization()
  const { text } = await get('/console')
  expect(text).toContain('First steps')
  expect(text).toContain('<a href="/console/me">Enter your e-mail address</a>')
  expect(text).toMatch(/done<\/span> Invite a colleague/)
  expect((await asAdmin.get('/console')).text).not.toContain('First steps')
  await post(`/console/people/${admin.id}`, { role: 'owner', department: '' })
  expect((await get('/console')).text).toMatch(/done<\/span> Add a second owner/)
  const session = cookie() ?? ''
  const away = (await post('/console/checklist')).headers.get('set-cookie')?.split(';')[0]
  expect((await get('/console', { cookie: session })).text).toContain('First steps')
  expect((await get('/console', { cookie: `${session}; ${away}` })).text).not.toContain('First steps')
})

test('pages of the account keep the menu of the project that was open last, for those who may see it', async () => {
  const { get, url, service, at, org, cookie } = await startConsole()
  const [kept] = (await get(`${at}/records`)).headers.getSetCookie()
  expect(kept).toMatch(/^memsvc_project=[\w-]{36}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const remember = (session: string | undefined) => ({ cookie: `${session}; ${kept?.split(';')[0]}` })
  const menu = `<a href="${at}/trash">Trash</a>`
  expect((await get('/console/people')).text).not.toContain(menu)
  const { text, headers } = await get('/console/people', remember(cookie()))
  expect(text).toContain(menu)
  expect(text).toContain('<a href="/console/people" aria-current="page">People</a>')
  expect(headers.getSetCookie()).toEqual([])
  const ben = await signedIn(service, url, await org.addMember('Ben'))
  expect((await ben.get('/console', remember(ben.cookie()))).text).not.toContain('Trash')
})

test('the menu has the pages of the operator for the owners of the first account alone', async () => {
  const { get, url, service, org } = await startConsole()
  expect((await get('/console')).text).toContain('<a href="/console/backups">Backups</a>')
  const admin = await signedIn(service, url, await org.addMember('Ada', { role: 'admin' }))
  expect((await admin.get('/console')).text).not.toContain('/console/operator')
})
