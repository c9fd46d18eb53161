import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'
import { launchBrowser, withoutBrowser } from '../chromium.ts'
import { PAGE_FACTS } from '../page-facts.ts'
import { PASSWORD } from './browse.ts'

let browser: Browser

beforeAll(async () => {
  if (!withoutBrowser) browser = await launchBrowser()
})

afterAll(() => browser?.close())

/** The owner's browser at the link of the first run, of a project that holds the records of the example team. */
async function openConsole(options: Parameters<Browser['newContext']>[0] = {}) {
  const running = await startService()
  await commandsBeside(running.service).json(
    'import',
    join(import.meta.dir, '../../../examples/team.jsonl'),
    '--project',
    'default',
  )
  const context = await browser.newContext({ javaScriptEnabled: false, ...options })
  const page = await context.newPage()
  const refusals: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refusals.push(message.text())
  })
  await page.goto(`${running.url}/console/enter/${running.entry}`)
  return { ...running, page, refusals, close: () => context.close() }
}

test.skipIf(withoutBrowser)(
  'lets the owner in by keyboard alone, without scripts, out again, and in by password',
  async () => {
    const { page, url, refusals, close } = await openConsole()
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}/console`)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('status').waitFor()
    await page.getByLabel('E-mail address').fill('owner@localhost')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    expect(refusals).toEqual([])
    await close()
  },
)

const PAGES = ['', '/me', '/nowhere', '/people', '/integrations', '/connections', '/audit', '/account']
const OF_PROJECT = [
  '/records',
  '/records?q=when+do+we+deploy',
  '/review',
  '/sessions',
  '/trash',
  '/guard',
  '/keys',
  '/connections',
  '/settings',
]

test.skipIf(withoutBrowser).each(['light', 'dark'] as const)(
  'every page fits a narrow screen, %s, with text that can be read',
  async (colorScheme) => {
    const { page, url, project, close } = await openConsole({
      javaScriptEnabled: true,
      colorScheme,
      viewport: { width: 320, height: 568 },
    })
    await page.getByLabel('Choose a password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    await page.waitForURL(`${url}/console`)
    for (const path of [...PAGES, ...OF_PROJECT.map((name) => `/projects/${project.id}${name}`)]) {
      await page.goto(`${url}/console${path}`)
      expect([path, await page.evaluate(PAGE_FACTS)]).toEqual([path, { wide: false, sharedIds: [], faint: [] }])
    }
    await close()
  },
)

test.skipIf(withoutBrowser)("a date is that of the reader's time zone, as the exact time is", async () => {
  const { page, url, project, org, close } = await openConsole({
    javaScriptEnabled: true,
    timezoneId: 'Pacific/Kiritimati',
  })
  await org.issueKey({ label: 'Trial', expiresAt: Date.UTC(2026, 3, 1, 12) })
  await page.getByLabel('Choose a password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.waitForURL(`${url}/console`)
  await page.goto(`${url}/console/projects/${project.id}/keys`)
  const expiry = page.getByRole('row', { name: 'Trial' }).locator('[data-label=Expires] time')
  expect([await expiry.textContent(), await expiry.getAttribute('title')]).toEqual([
    '2 Apr 2026',
    '2 Apr 2026, 02:00 (your time)',
  ])
  await close()
})
