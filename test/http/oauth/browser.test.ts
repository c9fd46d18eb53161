import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { startService } from '../../start-service.ts'
import { launchBrowser, withoutBrowser } from '../chromium.ts'
import { PAGE_FACTS } from '../page-facts.ts'
import { connectTo, makePkce } from './flow.ts'

let browser: Browser

beforeAll(async () => {
  if (!withoutBrowser) browser = await launchBrowser()
})

afterAll(() => browser?.close())

/**
 * The page as an application opens it, in a browser of its own, and an application that waits for the answer on another
 * port.
 */
async function openPage(options: Parameters<Browser['newContext']>[0] = {}) {
  const running = await startService()
  const flow = connectTo(running.url)
  const application = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => new Response(`came back: ${request.url}`),
  })
  const redirect_uri = `http://127.0.0.1:${application.port}/callback`
  const { client_id } = (await flow.register({ redirect_uris: [redirect_uri] })).body
  const { verifier, challenge } = makePkce()
  const context = await browser.newContext({ javaScriptEnabled: false, ...options })
  const page = await context.newPage()
  const refusals: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refusals.push(message.text())
  })
  await page.goto(flow.toAuthorizeUrl({ client_id, redirect_uri, code_challenge: challenge }))
  const close = async () => {
    await context.close()
    await application.stop(true)
  }
  return { ...running, ...flow, page, refusals, redirect_uri, client_id, verifier, close }
}

test.skipIf(withoutBrowser)(
  'lets an application in by keyboard alone, without scripts, and leads back to it',
  async () => {
    const { page, secret, redeem, client_id, verifier, redirect_uri, refusals, close } = await openPage()
    await page.keyboard.press('Tab')
    await page.keyboard.type(secret)
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Until')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Allow')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${redirect_uri}?**`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    expect((await redeem({ client_id, redirect_uri, code, code_verifier: verifier })).status).toBe(200)
    expect(refusals).toEqual([])
    await close()
  },
)

test.skipIf(withoutBrowser)('leads back with the refusal, after Deny and after Cancel', async () => {
  const { page, secret, redirect_uri, refusals, close } = await openPage()
  const asked = page.url()
  await page.getByLabel('Your API key').fill(secret)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.waitForURL(`${redirect_uri}?error=access_denied**`)
  await page.goto(asked)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(`${redirect_uri}?error=access_denied**`)
  expect(refusals).toEqual([])
  await close()
})

test.skipIf(withoutBrowser)('tells a screen reader what is wrong with a key, and keeps the key hidden', async () => {
  const { page, close } = await openPage()
  const field = page.getByLabel('Your API key')
  expect(await field.getAttribute('type')).toBe('password')
  await field.fill('svc_wrong')
  await field.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.title()).toStartWith('Error: Connect')
  expect(await field.inputValue()).toBe('')
  const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? []
  expect(await Promise.all(described.map((id) => page.locator(`#${id}`).count()))).toEqual([1, 1])
  expect(await page.locator(':focus').getAttribute('id')).toBe('key')
  await close()
})

test.skipIf(withoutBrowser).each(['light', 'dark'] as const)(
  'fits a narrow screen, %s, with text that can be read',
  async (colorScheme) => {
    const { page, secret, close } = await openPage({
      javaScriptEnabled: true,
      colorScheme,
      viewport: { width: 320, height: 568 },
    })
    await page.getByLabel('Your API key').fill('svc_wrong')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate(PAGE_FACTS)).toEqual({ wide: false, sharedIds: [], faint: [] })
    await page.getByLabel('Your API key').fill(secret)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForSelector('text=Until')
    expect(await page.evaluate(PAGE_FACTS)).toEqual({ wide: false, sharedIds: [], faint: [] })
    await close()
  },
)

test.skipIf(withoutBrowser)('is shown in no frame of another site', async () => {
  const { page, close } = await openPage({ javaScriptEnabled: true })
  const address = page.url()
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(`<iframe src="${Bun.escapeHTML(address)}"></iframe>`, { headers: { 'content-type': 'text/html' } }),
  })
  await page.goto(site.url.href)
  const frame = page.frames()[1]
  expect(await frame?.locator('#key').count()).toBe(0)
  await site.stop(true)
  await close()
})

test.skipIf(withoutBrowser)('takes no form that another site posts', async () => {
  const { page, url, client_id, redirect_uri, secret, close } = await openPage({ javaScriptEnabled: true })
  const fields = {
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge_method: 'S256',
    code_challenge: makePkce().challenge,
    key: secret,
  }
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
  const form = `<form method="post" action="${url}/oauth/authorize">${inputs.join('')}<button>Go</button></form>`
  const site = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(form, { headers: { 'content-type': 'text/html' } }),
  })
  await page.goto(site.url.href)
  await page.click('button')
  const said = await page.waitForSelector('text=not part of this service')
  expect(await said.isVisible()).toBe(true)
  await site.stop(true)
  await close()
})
