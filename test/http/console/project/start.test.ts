import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { MINUTE_MS } from '../../../../src/clock.ts'
import { commandsBeside } from '../../../command-line.ts'
import type { startService } from '../../../start-service.ts'
import { waitUntil } from '../../../wait-until.ts'
import { launchBrowser, withoutBrowser } from '../../chromium.ts'
import { formOn, startConsole } from '../browse.ts'
import { startOrganization } from '../organization.ts'

let browser: Browser

beforeAll(async () => {
  if (!withoutBrowser) browser = await launchBrowser()
})

afterAll(() => browser?.close())

const KEY = /svc_[0-9A-Za-z]{36}/
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const pastes = (text: string) =>
  [...text.matchAll(/<pre class="paste">([^<]*)<\/pre>/g)].map(([, block = '']) => block.replaceAll('&quot;', '"'))

/** A console whose owner is at the first steps. */
async function startSteps(wish?: Parameters<typeof startService>[0]) {
  const running = await startConsole(wish)
  const { get, post, at } = running
  /** Issues a key for a client. Returns the page that shows it, the key, and its id. */
  async function issue(client: string) {
    const page = await post(`${at}/start`, { client, form: formOn(await get(`${at}/start`)) })
    return {
      ...page,
      secret: KEY.exec(page.text)?.[0] ?? '',
      id: /first-call\?key=([\w-]+)/.exec(page.text)?.[1] ?? '',
    }
  }
  return { ...running, issue, look: (path: string) => get(`${at}/start/first-call${path}`, { 'hx-request': 'true' }) }
}

test('a project without records leads to its first steps, also right after it was added', async () => {
  const { get, post, at, call } = await startSteps()
  expect((await get(`${at}/records`)).text).toContain(`href="${at}/start"`)
  expect((await get(`${at}/records?q=x`)).text).not.toContain(`href="${at}/start"`)
  expect((await post('/console/projects', { name: 'New' })).place).toMatch(
    /^\/console\/projects\/[\w-]+\/start\?done=project.added$/,
  )
  await call('remember', { content: 'The lantern is green' })
  expect((await get(`${at}/records`)).text).not.toContain(`href="${at}/start"`)
})

test('a key is issued for the chosen client, shown once with what to paste, and its first call is waited for', async () => {
  const { get, at, issue, look, as, url } = await startSteps()
  const { text, secret, id } = await issue('cursor')
  expect(pastes(text)).toEqual([
    `echo ${secret} | SVC_ENDPOINT=${url} memsvc client add cursor --key-stdin --yes`,
    expect.stringContaining(`"Authorization": "Bearer ${secret}"`),
  ])
  expect(text).toContain('Waiting for the first call')
  const waiting = await get(`${at}/start?key=${id}`)
  expect(waiting.text).toContain('Waiting for the first call')
  expect(waiting.text).not.toContain(secret)
  expect((await look(`?key=${id}`)).status).toBe(204)
  expect((await get(`${at}/start/first-call?key=${id}`)).place).toBe(`${at}/start?key=${id}`)
  await as(secret).post(LIST)
  const come = await look(`?key=${id}`)
  expect(come.text).toContain('>connected<')
  expect(come.text).not.toContain('hx-trigger="every')
  expect((await get(`${at}/start`)).text).toContain('>connected<')
})

test('a page looks for the first call for a quarter of an hour, and by hand from then on', async () => {
  const { issue, look, service, pass } = await startSteps()
  const { id } = await issue('other')
  const since = service.clock.now()
  pass(15 * MINUTE_MS)
  const { text } = await look(`?key=${id}&since=${since}`)
  expect(text).toContain('No call yet')
  expect(text).not.toContain('hx-trigger="every')
  for (const odd of ['x', '1e99', '-5', '9e15', ''])
    expect((await look(`?key=${id}&since=${odd}`)).status).toBeLessThan(300)
})

test('a hosted assistant is given the address, and a client that nothing is known of the header', async () => {
  const { issue, url } = await startSteps()
  expect(pastes((await issue('hosted')).text)).toEqual([`${url}/mcp`])
  const other = await issue('other')
  expect(pastes(other.text)).toEqual([`${url}/mcp`, `Authorization: Bearer ${other.secret}`])
})

test('every client that can be chosen is known by the command that is shown for it', async () => {
  const { get, at, service, issue } = await startSteps()
  const { text } = await get(`${at}/start`)
  const ids = [...text.matchAll(/<option value="([\w-]+)"/g)]
    .map(([, id = '']) => id)
    .filter((id) => id !== 'hosted' && id !== 'other')
  expect(ids.length).toBeGreaterThan(9)
  const { memsvc } = commandsBeside(service)
  for (const id of ids) {
    const { status, err } = await memsvc('client', 'add', id, '--print')
    expect({ id, status, err }).toEqual({ id, status: 0, err: '' })
  }
  expect((await issue('nonsense')).status).toBe(400)
})

test('the key is the visitor’s own, and nobody waits for somebody else’s', async () => {
  const { asMember, at, service, key, member } = await startOrganization()
  const page = await asMember.post(`${at}/start`, { client: 'codex' })
  const [made] = await service.store.control
    .list('keys', { memberId: member.id })
    .then((keys) => keys.filter(({ label }) => label === 'Codex'))
  expect(page.text).toContain(`svc_${made?.shown}`)
  for (const path of [`start?key=${key.id}`, 'start?key=none', `start/first-call?key=${key.id}`])
    expect({ path, status: (await asMember.get(`${at}/${path}`, { 'hx-request': 'true' })).status }).toEqual({
      path,
      status: 404,
    })
})

test.skipIf(withoutBrowser)('from an empty project to the first call: the page turns green by itself', async () => {
  const { url, at, cookie, as } = await startSteps()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const [name = '', value = ''] = cookie()?.split('=') ?? []
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  const refusals: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refusals.push(message.text())
  })
  await page.goto(`${url}${at}/records`)
  await page.click('a:has-text("Connect an assistant")')
  await page.selectOption('select[name=client]', 'gemini')
  await page.click('text=Issue a key for it')
  const secret = (await page.locator('.secret').textContent()) ?? ''
  const isLooking = () =>
    page.evaluate<boolean>('performance.getEntriesByType("resource").some(({ name }) => name.includes("/first-call"))')
  await waitUntil('a look that found nothing', isLooking)
  expect(await page.locator('#first-call .badge').textContent()).toBe('waiting')
  await as(secret).call('remember', { content: 'We deploy on Wednesdays' })
  await waitUntil('the page to turn green', async () => (await page.locator('#first-call .badge.good').count()) === 1)
  expect(await page.locator('.secret').textContent()).toBe(secret)
  await page.click('#first-call >> text=Records')
  await page.waitForURL(/\/records$/)
  expect(await page.locator('.record h3').textContent()).toBe('We deploy on Wednesdays')
  expect(refusals).toEqual([])
  await context.close()
})
