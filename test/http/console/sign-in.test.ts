import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { removeMember } from '../../../src/account/organizations/change-member.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'
import { readControlText } from '../../stored-data.ts'
import { browse, PASSWORD, signedIn, startConsole } from './browse.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SIGN_IN = '/console/sign-in'
const NOT_VALID = 'This link is no longer valid; ask for a new one.'

const credentials = { email: 'owner@localhost', password: PASSWORD }

test('the link of the first run lets the owner choose a password and come in, once', async () => {
  const { url, entry } = await startService()
  const { get, post } = browse(url)
  const page = await get(`/console/enter/${entry}`)
  expect(page.text).toContain('For <strong>owner@localhost</strong>')
  expect(await post(`/console/enter/${entry}`, { password: PASSWORD })).toMatchObject({
    status: 303,
    place: '/console',
  })
  expect((await get('/console')).text).toContain('<h1>Projects <small class="quiet">1</small></h1>')
  for (const again of [
    await get(`/console/enter/${entry}`),
    await post(`/console/enter/${entry}`, { password: `${PASSWORD} another` }),
  ]) {
    expect(again.status).toBe(404)
    expect(again.text).toContain(NOT_VALID)
  }
})

test('a link works for 48 hours, and a newer one replaces it, but for that of the first run', async () => {
  const { url, service, entry, pass } = await startService()
  const { json } = commandsBeside(service)
  const { get } = browse(url)
  const makeLink = async () =>
    new URL((await json<{ link: string }>('member', 'link', 'owner@localhost')).link).pathname
  const first = await makeLink()
  const second = await makeLink()
  expect((await get(first)).status).toBe(404)
  expect((await get(`/console/enter/${entry}`)).status).toBe(200)
  pass(48 * HOUR - 1)
  expect((await get(second)).status).toBe(200)
  pass(1)
  expect((await get(second)).status).toBe(404)
})

test('the link of the first run is dead once another has let its owner in', async () => {
  const { url, service, entry } = await startService()
  const { link } = await commandsBeside(service).json<{ link: string }>('member', 'link', 'owner@localhost')
  const { get, post } = browse(url)
  await get(new URL(link).pathname)
  expect(await post(new URL(link).pathname, { password: PASSWORD })).toMatchObject({ status: 303 })
  expect((await get(`/console/enter/${entry}`)).status).toBe(404)
})

test('keeps neither the link nor the password nor the session, only hashes', async () => {
  const { service, entry, cookie } = await startConsole()
  const token = cookie()?.split('=')[1] ?? ''
  expect(token).toHaveLength(43)
  await service.store.check()
  const kept = await readControlText(service.config)
  for (const secret of [entry, PASSWORD, token]) expect(kept).not.toContain(secret)
})

test('refuses a password that is too short, and says so', async () => {
  const { url, entry } = await startService()
  const { post, get } = browse(url)
  const refused = await post(`/console/enter/${entry}`, { password: 'elevenchars' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('role="alert">A password must have 12 to 200 characters.')
  expect((await post(`/console/enter/${entry}`, { password: 'x'.repeat(201) })).status).toBe(400)
  expect((await get(`/console/enter/${entry}`)).status).toBe(200)
})

test('of one address takes ten passwords a minute, by links too', async () => {
  const { url, entry, pass } = await startService()
  const { post } = browse(url)
  const enter = async () => (await post(`/console/enter/${entry}`, { password: 'short' })).status
  const statuses = []
  for (let time = 0; time < 11; time++) statuses.push(await enter())
  expect(statuses).toEqual([...Array(10).fill(400), 429])
  pass(60_000)
  expect(await enter()).toBe(400)
})

test('an invited person joins with a name and a password, and is in', async () => {
  const { url, service } = await startService()
  const { json } = commandsBeside(service)
  const invited = ['member', 'invite', '--email', 'ann@example.org', '--role', 'admin']
  const { link, projects } = await json<{ link: string; projects: string[] }>(...invited)
  expect(projects).toEqual(['default'])
  const { get, post } = browse(url)
  const path = new URL(link).pathname
  const page = await get(path)
  expect(page.text).toContain('You are invited as <strong>ann@example.org</strong>, an admin of the account.')
  const refused = await post(path, { name: ' ', password: PASSWORD })
  expect(refused.text).toContain('The member name must have 1 to 100 characters.')
  expect((await post(path, { name: 'Ann <b>', password: PASSWORD })).place).toMatch(/\/start$/)
  expect((await get('/console')).text).toContain('<bdi>Ann &lt;b&gt;</bdi><small>default</small>')
  expect((await get(path)).status).toBe(404)
})

test('signs in by address and password, whatever the case of the address', async () => {
  const { url } = await startConsole()
  const { get, post } = browse(url)
  const first = await get('/console/me?x=1')
  expect(first.place).toBe('/console/sign-in?to=%2Fconsole%2Fme%3Fx%3D1')
  const page = await get(first.place ?? '')
  expect(page.text).toContain('<input type="hidden" name="to" value="/console/me?x=1">')
  const entered = await post(SIGN_IN, { email: ' Owner@LOCALHOST ', password: PASSWORD, to: '/console/me?x=1' })
  expect([entered.status, entered.place]).toEqual([303, '/console/me?x=1'])
  expect((await get('/console/me')).status).toBe(200)
})

test('says the same of every address and password that are not right', async () => {
  const { url, service, json, owner } = await startConsoleWithCommands()
  await json('member', 'add', '--email', 'new@example.org', '--name', 'No password yet')
  const gone = await json<{ id: string }>('member', 'add', '--email', 'gone@example.org', '--name', 'Gone')
  const member = (await service.store.control.findMembers(gone.id, 1))[0]
  if (member === undefined) throw new Error('not added')
  await signedIn(service, url, member)
  await removeMember(service, COMMAND_LINE, member)
  const texts = new Set<string>()
  const tries = [
    { email: 'owner@localhost', password: `${PASSWORD} ` },
    { email: 'owner@localhost', password: '' },
    { email: owner.id, password: PASSWORD },
    { email: 'nobody@example.org', password: PASSWORD },
    { email: 'new@example.org', password: PASSWORD },
    { email: 'gone@example.org', password: PASSWORD },
  ]
  for (const tried of tries) {
    const { post, cookie } = browse(url)
    const refused = await post(SIGN_IN, tried)
    expect([refused.status, cookie()]).toEqual([400, undefined])
    texts.add(refused.text.replace(tried.email, '…'))
  }
  expect(texts.size).toBe(1)
  expect([...texts][0]).toContain('role="alert">This address and password were not accepted.')
})

async function startConsoleWithCommands() {
  const running = await startConsole()
  return { ...running, ...commandsBeside(running.service) }
}

test('lets one address be tried 5 times a minute from one place, and notes who failed', async () => {
  const { url, pass, json } = await startConsoleWithCommands()
  const enter = (password: string) => browse(url).post(SIGN_IN, { ...credentials, password })
  for (let time = 0; time < 5; time++) expect((await enter('wrong password')).status).toBe(400)
  const refused = await enter(PASSWORD)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(refused.text).toContain('Too many attempts; try again in 60 seconds.')
  pass(60_000)
  expect((await enter(PASSWORD)).status).toBe(303)
  const lines = await json<object[]>('audit', '--act', 'sign-in.fail')
  expect(lines[0]).toMatchObject({ act: 'sign-in.fail', outcome: 'refused', details: { credential: 'password' } })
})

test('a session ends after 14 days, with its member, and while the account is suspended', async () => {
  const { url, service, owner, get, pass, json } = await startConsoleWithCommands()
  const status = async () => (await get('/console/me')).status
  expect(await status()).toBe(200)
  await json('account', 'suspend', 'default')
  expect(await status()).toBe(303)
  expect((await browse(url).post(SIGN_IN, credentials)).status).toBe(400)
  await json('account', 'resume', 'default')
  expect(await status()).toBe(200)
  pass(14 * DAY - 1)
  expect(await status()).toBe(200)
  pass(1)
  expect(await status()).toBe(303)
  const other = await signedIn(service, url, owner)
  await service.store.control.write((tx) => tx.update('members', { id: owner.id }, { removedAt: 1 }))
  expect((await other.get('/console/me')).status).toBe(303)
})

test('the cookie is read by no script, sent by no other site, and under https named so that no other host sets it', async () => {
  const { url, entry } = await startService({ config: { publicUrl: 'https://memory.example.org' } })
  const { post, get } = browse(url)
  const plain = await post(`/console/enter/${entry}`, { password: PASSWORD })
  expect(plain.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^memsvc_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^memsvc_browser=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
  ])
  const host = { host: 'memory.example.org', origin: 'https://memory.example.org' }
  const behindProxy = await post(SIGN_IN, credentials, host)
  expect(behindProxy.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-memsvc_session=[\w-]{43}; Path=\/; Max-Age=1209600; Secure; HttpOnly; SameSite=Lax$/,
    ),
    expect.stringMatching(
      /^__Host-memsvc_browser=[\w-]{43}; Path=\/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax$/,
    ),
  ])
  expect((await get('/console/me', host)).status).toBe(200)
})

test.each([
  ['another Origin', { origin: 'https://evil.example' }],
  ['no Origin that can be told', { origin: 'null' }],
  ['another port of this machine, whatever the browser says', { origin: 'http://127.0.0.1:1' }],
  ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
  ['a sub-domain, as the browser says', { 'sec-fetch-site': 'same-site' }],
  ['a host that is not this machine', { host: 'evil.example' }],
])('takes no form from %s', async (_name, headers) => {
  const { url, entry, post, get } = await startConsole()
  for (const path of [
    SIGN_IN,
    `/console/enter/${entry}`,
    '/console/projects',
    '/console/me',
    '/console/me/sessions',
    '/console/sign-out',
  ]) {
    const refused = await post(path, { ...credentials, name: 'stolen' }, headers)
    expect([path, refused.status]).toEqual([path, 403])
  }
  expect((await get('/console')).text).not.toContain('stolen')
  expect(url).toStartWith('http://127.0.0.1')
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/console/../mcp',
  '/console//evil\n',
  '/consolex',
])('leads nobody to %s after signing in', async (to) => {
  const { url } = await startConsole()
  expect((await browse(url).post(SIGN_IN, { ...credentials, to })).place).toBe('/console')
})

test('every page is in no frame, runs no script but the service’s own and before signing in none, and is kept by nobody', async () => {
  const { get } = await startConsole()
  const own = ['/console', '/console/me', '/console/nowhere', '/console/jump']
  for (const path of [...own, '/console/sign-in', '/console/enter/x', '/console/join/x']) {
    const { headers, text } = await get(path)
    const scripts = own.includes(path) ? " script-src 'self'; connect-src 'self';" : ''
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self'; img-src 'self';${scripts} form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text.match(/<script(?! src="\/assets\/console-[0-9a-f]+\.js" defer><\/script>)/g) ?? []).toEqual([])
    expect(text.match(/<script/g)?.length ?? 0).toBe(own.includes(path) ? 1 : 0)
    expect(text).not.toMatch(/ (style|on\w+|hx-on[\w:-]*)=/)
  }
})

test('the address of the service leads a browser to the console', async () => {
  const { url } = await startService()
  expect(await browse(url).get('/')).toMatchObject({ status: 303, place: '/console' })
})

test.each(['/console?x=ü', '/console?x=\x01'])('leads somebody in whose way home is no header: %j', async (to) => {
  const { url, service, owner } = await startConsole()
  await signedIn(service, url, owner)
  expect(await browse(url).post(SIGN_IN, { ...credentials, to })).toMatchObject({ status: 303, place: '/console' })
})

test('keeps the cookie to https where a proxy speaks it and passes on no host of its own', async () => {
  const { url, entry } = await startService({ config: { publicUrl: 'https://memory.example.org' } })
  const { get, post, cookie } = browse(url)
  const { headers } = await post(
    `/console/enter/${entry}`,
    { password: PASSWORD },
    { origin: 'https://memory.example.org' },
  )
  expect(headers.get('set-cookie')).toMatch(/^__Host-memsvc_session=.*; Secure;/)
  expect((await get('/console')).status).toBe(200)
  await post('/console/sign-out', {}, { origin: 'https://memory.example.org' })
  expect(cookie()).toBeUndefined()
})

test('a form that is none is refused, and what is not there is not found, on a page', async () => {
  const { post, get, url } = await startConsole()
  const door = browse(url)
  const answers = [
    await door.post(SIGN_IN, {}, { 'content-type': 'text/plain' }),
    await door.post(SIGN_IN, { email: 'x'.repeat(300_000) }),
    await post('/console/nowhere'),
    await get('/console/projects/%ff/nowhere'),
  ]
  const seen = answers.map(({ status, headers, text }) => [
    status,
    headers.get('content-type'),
    /<h1>(.*?)<\/h1>/.exec(text)?.[1],
  ])
  const html = 'text/html; charset=utf-8'
  expect(seen).toEqual([
    [400, html, 'Sign in'],
    [413, html, 'Sign in'],
    [404, html, 'Not found'],
    [404, html, 'Not found'],
  ])
  expect((await post('/console/projects', {}, { 'content-type': 'text/plain' })).status).toBe(400)
  expect((await post('/console/projects', { name: 'x'.repeat(300_000) })).status).toBe(413)
  expect((await get('/console/nowhere')).status).toBe(404)
})
