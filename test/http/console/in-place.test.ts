import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Request } from 'playwright-core'
import { insertRecords } from '../../builders/records.ts'
import { startUpstream, tool } from '../../gateway/upstreams.ts'
import { waitUntil } from '../../wait-until.ts'
import { launchBrowser, withoutBrowser } from '../chromium.ts'
import { startTeam } from './team.ts'

let browser: Browser

beforeAll(async () => {
  if (!withoutBrowser) browser = await launchBrowser()
})

afterAll(() => browser?.close())

/** The team with its owner in a browser with scripts. */
async function openTeam() {
  const team = await startTeam()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const [name = '', value = ''] = team.cookie()?.split('=') ?? []
  await context.addCookies([{ name, value, url: team.url }])
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) errors.push(message.text())
  })
  return { ...team, page, errors, close: () => context.close() }
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `note-${at}`, content: `Note ${at} of many`, createdAt: at + 1 }))

test.skipIf(withoutBrowser)(
  'fifty records are reviewed by keyboard alone, in 51 key presses, and one is undone',
  async () => {
    const team = await openTeam()
    const { page, url, at, memory } = team
    await insertRecords(team, notes(50))
    await page.goto(`${url}${at}/review`)
    let presses = 0
    const press = async (key: string) => {
      presses += 1
      await page.keyboard.press(key)
    }
    await press('j')
    for (let i = 0; i < 50; i++) {
      const id = await page.evaluate<string>('document.activeElement.id')
      await press(i % 10 === 9 ? 'f' : 'v')
      const isNext = `!document.getElementById('${id}') && (document.activeElement.hasAttribute('data-item') || ${i} === 49)`
      await waitUntil('the record after it', () => page.evaluate<boolean>(isNext))
      // A member posts at most so many forms a minute.
      team.pass(2_000)
    }
    expect(presses).toBe(51)
    expect(await page.locator('#waiting').textContent()).toBe(' waiting')
    const statuses = async () =>
      Object.groupBy(await Promise.all(notes(50).map(({ id }) => team.standing(id))), ({ status, forgottenAt }) =>
        forgottenAt === null ? status : 'forgotten',
      )
    expect([(await statuses()).verified?.length, (await statuses()).forgotten?.length]).toEqual([45, 5])
    await page.keyboard.press('u')
    await page.getByText('The record is back.').waitFor()
    expect((await memory.readUsage()).records).toBe(46)
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)('the overview follows what is saved elsewhere, in the period that is shown', async () => {
  const team = await openTeam()
  const { page, url, at, save } = team
  await save('The first')
  await page.goto(`${url}${at}/overview?days=90`)
  const tile = page.locator('.tiles li').filter({ hasText: 'Records' }).first().locator('strong')
  expect(await tile.textContent()).toBe('1')
  // A change before the page listens is not told of.
  let saved = 1
  await waitUntil('the tile', async () => {
    await save(`Number ${++saved}`)
    return (await tile.textContent()) !== '1'
  })
  // What is saved right after the page has followed is followed a little later.
  await save('The last')
  await waitUntil('the last change', async () => (await tile.textContent()) === String(saved + 1))
  expect(await page.locator('.periods [aria-current]').textContent()).toBe('90 days')
  expect([await page.locator('.chart').count(), await page.locator('#overview').count()]).toEqual([2, 1])
  expect(team.errors).toEqual([])
  await team.close()
})

test.skipIf(withoutBrowser)('the numbers of very many records arrive by themselves, and so do new ones', async () => {
  const team = await openTeam()
  const { page, url, at, save, pass, service } = team
  const createdAt = service.clock.now()
  await insertRecords(
    team,
    Array.from({ length: 20_001 }, (_, number) => ({ content: `Note ${number}`, createdAt })),
  )
  await page.goto(`${url}${at}/overview`)
  await page.getByText('20,001 records, 0 in').waitFor()
  await save('One more')
  pass(10_000)
  await page.getByText('20,002 records, 0 in').waitFor()
  expect(await page.locator('#overview').count()).toBe(1)
  expect(team.errors).toEqual([])
  await team.close()
})

test.skipIf(withoutBrowser)('the count in the menu and in the title follows what is saved elsewhere', async () => {
  const team = await openTeam()
  const { page, url, at, save } = team
  await page.goto(`${url}${at}/review`)
  await save('Saved by an assistant')
  await page.locator('#waiting').getByText('1').waitFor()
  await insertRecords(team, notes(1_000))
  for (const count of ['1,002', '1,003']) {
    await save(`The last of ${count}`)
    await page.locator('#waiting').getByText(count).waitFor()
    expect(await page.title()).toStartWith(`(${count}) Review`)
  }
  await team.close()
})

test.skipIf(withoutBrowser)(
  'ten pages that follow a project leave connections for others: two follow, and none that is out of sight',
  async () => {
    const team = await openTeam()
    const { page, url, at, save } = team
    const context = page.context()
    const open = new Set<Request>()
    context.on('request', (request) => request.url().endsWith('/events') && open.add(request))
    context.on('requestfinished', (request) => open.delete(request))
    context.on('requestfailed', (request) => open.delete(request))
    const pages = [page]
    while (pages.length < 10) pages.push(await context.newPage())
    for (const one of pages) await one.goto(`${url}${at}/${pages.indexOf(one) % 2 ? 'review' : 'overview'}`)
    await waitUntil('two streams', () => open.size === 2)
    const [first, last] = [page, pages.at(-1) ?? page]
    await save('Saved by an assistant')
    await last.locator('#waiting').getByText('1').waitFor()
    expect(await first.locator('#waiting').isVisible()).toBe(false)
    // One that is looked at follows again, in place of another.
    await first.evaluate("window.dispatchEvent(new Event('focus'))")
    await first.locator('#waiting').getByText('1').waitFor()
    await first.locator('.tiles li').filter({ hasText: 'Records' }).first().getByText('1').waitFor()
    await waitUntil('two streams', () => open.size === 2)
    const show = (isHidden: boolean) =>
      Promise.all(
        pages.map((one) =>
          one.evaluate(
            `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
          ),
        ),
      )
    await show(true)
    await waitUntil('no stream', () => open.size === 0)
    await save('Another')
    await show(false)
    await waitUntil('two streams', () => open.size === 2)
    for (const isOffline of [true, false]) await context.setOffline(isOffline)
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)('the list follows what is typed, and the address with it', async () => {
  const team = await openTeam()
  const { page, url, at, save } = team
  await save('Deploys go to Frankfurt')
  await save('Lunch is at noon')
  await page.goto(`${url}${at}/records`)
  await page.locator('#q').pressSequentially('frankfurt')
  await page.getByText('1 record in all workspaces').waitFor()
  expect(page.url()).toBe(`${url}${at}/records?q=frankfurt`)
  expect(await page.locator('mark').allTextContents()).toEqual(['Frankfurt'])
  await page.locator('#q').fill('')
  await page.getByText('2 records, newest first').waitFor()
  expect(team.errors).toEqual([])
  await team.close()
})

test.skipIf(withoutBrowser)('Ctrl-K jumps to a record, a page and a project without a mouse', async () => {
  const team = await openTeam()
  const { page, url, at, save, org } = team
  const id = await save('Deploys go to Frankfurt')
  const other = await org.addProject('Website')
  await page.goto(`${url}${at}/keys`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('frankfurt')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}${at}/records/${id}`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('websi')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/console/projects/${other.id}/`))
  await team.close()
})

test.skipIf(withoutBrowser)(
  'Enter that chooses what an input method offers does not jump, and one before an answer does not once the dialog is closed',
  async () => {
    const team = await openTeam()
    const { page, url, at, save } = team
    const id = await save('Deploys go to Frankfurt')
    await page.goto(`${url}${at}/keys`)
    await page.route('**/console/jump*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type('frankfurt')
    await page.keyboard.press('Enter')
    // The first one empties the field.
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
    await page.locator('#jump').waitFor({ state: 'hidden' })
    await page.unroute('**/console/jump*')
    await page.keyboard.press('Control+k')
    await page.locator('#jump-targets a').first().waitFor()
    await page.keyboard.type('frankfurt')
    await page.locator('#jump-targets a').getByText('Deploys go to Frankfurt').waitFor()
    await page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))`,
    )
    expect(page.url()).toBe(`${url}${at}/keys`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${url}${at}/records/${id}`)
    await team.close()
  },
)

test.skipIf(withoutBrowser)('filters that are refused while somebody types are refused with the reason', async () => {
  const team = await openTeam()
  const { page, url, at, save } = team
  await save('Deploys go to Frankfurt')
  await page.goto(`${url}${at}/records?also=${encodeURIComponent('a;b;c;d;e;f;g')}`)
  await page.locator('#q').pressSequentially('frankfurt')
  await page.getByRole('alert').getByText('Also').waitFor()
  expect(await page.locator('#q').inputValue()).toBe('frankfurt')
  await team.close()
})

test.skipIf(withoutBrowser)(
  'a key that is shown once stays on its page, whatever becomes of what the page asks for',
  async () => {
    const team = await openTeam()
    const { page, url, at } = team
    await page.goto(`${url}${at}/start`)
    await page.getByRole('button', { name: 'Issue a key for it' }).click()
    const secret = await page.locator('.secret').textContent()
    let asked = 0
    await page.route('**/first-call*', (route) => {
      asked += 1
      return route.fulfill({ status: 503, body: 'not now' })
    })
    await waitUntil('two answers', () => asked === 2)
    expect(await page.locator('.secret').textContent()).toBe(secret)
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)('a switch that could not be saved does not look as if it were', async () => {
  const upstream = startUpstream({ 'tools/list': () => ({ tools: [tool('echo'), tool('list')] }) })
  const team = await openTeam()
  const { page, url, post } = team
  await post('/console/integrations', { slug: 'wiki', url: upstream.url, mode: 'read-only', test: 'yes' })
  await page.goto(`${url}/console/integrations/wiki`)
  await page.context().setOffline(true)
  await page.getByRole('switch', { name: 'echo' }).click()
  await waitUntil('the page of the browser', async () => (await page.getByRole('switch').count()) === 0)
  await page.context().setOffline(false)
  await page.goto(`${url}/console/integrations/wiki`)
  expect(await page.getByRole('switch', { name: 'echo' }).isChecked()).toBe(true)
  expect(team.errors).toEqual([])
  await team.close()
})

test.skipIf(withoutBrowser)('switches that are clicked while others are saved are saved, too', async () => {
  const names = ['a', 'b', 'c', 'd']
  const upstream = startUpstream({ 'tools/list': () => ({ tools: names.map((name) => tool(name)) }) })
  const team = await openTeam()
  const { page, url, post, service } = team
  await post('/console/integrations', { slug: 'wiki', url: upstream.url, mode: 'read-only', test: 'yes' })
  const picks = async () => (await service.store.control.list('integrations', {}))[0]?.tools
  const click = (switches: string) =>
    `for (const name of '${switches}') document.querySelector('[role=switch][value=' + name + ']').click()`
  await page.goto(`${url}/console/integrations/wiki`)
  await page.evaluate(click('abcb'))
  await waitUntil('the switches are saved', async () => `${await picks()}` === 'b,d')
  await page.locator('#messages .done').waitFor()
  // The first is switched back while that is on its way.
  await page.evaluate(click('dd'))
  const changes = () => service.store.control.listAudit({ act: 'integration.change', limit: 9 })
  await waitUntil('both clicks are saved', async () => (await changes()).length === 4)
  await waitUntil('the page shows what is saved', async () => {
    const isOn = await Promise.all(names.map((name) => page.locator(`[role=switch][value=${name}]`).isChecked()))
    return `${isOn}` === 'false,true,false,true' && `${await picks()}` === 'b,d'
  })
  expect((await changes()).length).toBe(4)
  expect(team.errors).toEqual([])
  await team.close()
})

test.skipIf(withoutBrowser)('two thousand records are verified at once, after a question', async () => {
  const team = await openTeam()
  const { page, url, at, memory, service } = team
  await insertRecords(team, notes(2_000))
  await page.goto(`${url}${at}/records?status=unverified`)
  await page.getByLabel('All of this list: 2,000 records').check()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByRole('heading', { name: 'Verify 2,000 records?' }).waitFor()
  await page.getByRole('button', { name: 'Verify them' }).click()
  await page.getByText('2,000 records verified.').waitFor({ timeout: 60_000 })
  expect((await memory.selectLatest({ visible: undefined, status: 'verified' }, 5_000))?.seqs).toHaveLength(2_000)
  const [event] = await service.store.control.listAudit({ act: 'record.verify', limit: 2 })
  expect(event?.details).toMatchObject({ records: 2_000 })
  await team.close()
})

test.skipIf(withoutBrowser)('going back finds what was typed', async () => {
  const team = await openTeam()
  const { page, url, at, save } = team
  await save('Lunch is at noon')
  const id = await save('Deploys go to Frankfurt')
  await page.goto(`${url}${at}/records`)
  await page.locator('#q').pressSequentially('frankfurt')
  // What is typed replaces the address once its answer stands there.
  await page.waitForURL(/q=frankfurt/)
  await page.getByRole('link', { name: /Frankfurt/ }).click()
  await page.waitForURL(`${url}${at}/records/${id}`)
  await page.goBack()
  await page.getByText('1 record in all workspaces').waitFor()
  expect(await page.locator('#q').inputValue()).toBe('frankfurt')
  expect(await page.evaluate<number>('localStorage.length')).toBe(0)

  await team.close()
})

/**
 * The review of the team's project, with the first of these notes in focus; `states` has what became of each. After
 * `hold`, what the page asks for waits until `release`, as on a slow line.
 */
async function openReview(contents: string[]) {
  const team = await openTeam()
  const { page, url, at, save, standing } = team
  const ids: string[] = []
  for (const content of contents.toReversed()) ids.unshift(await save(content))
  await page.goto(`${url}${at}/review`)
  let line: Promise<void> | undefined
  let release = () => {}
  const hold = () => {
    const held = Promise.withResolvers<void>()
    line = held.promise
    release = held.resolve
  }
  await page.route(`${url}/console/**`, async (route) => {
    await line
    await route.continue().catch(() => {})
  })
  await page.keyboard.press('j')
  const states = async () =>
    (await Promise.all(ids.map(standing))).map((one) => (one.forgottenAt === null ? one.status : 'forgotten'))
  const focused = () => page.evaluate<string>("document.activeElement.querySelector('h3')?.textContent ?? ''")
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return { ...team, ids, states, focused, press, hold, release: () => release() }
}

test.skipIf(withoutBrowser)(
  'over a slow line three presses of F forget three records, one after the other; a key held down acts once',
  async () => {
    const { page, states, focused, press, ...team } = await openReview(['One', 'Two', 'Three', 'Four', 'Five'])
    team.hold()
    await page.keyboard.down('f')
    await page.keyboard.down('f')
    await page.keyboard.up('f')
    expect(await focused()).toBe('Two')
    await press('f', 'f')
    expect(await focused()).toBe('Four')
    expect(await page.locator('[data-item][inert]').count()).toBe(3)
    await press('j', 'v', 'k')
    team.release()
    await waitUntil('all acts', async () => (await page.locator('#queue [data-item]').count()) === 1)
    expect(await states()).toEqual(['forgotten', 'forgotten', 'forgotten', 'unverified', 'verified'])
    expect(await focused()).toBe('Four')
    expect(await page.locator('#waiting').textContent()).toBe('1 waiting')
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)(
  'U takes back the last act: one that is not sent never is, and one under way is undone after its answer',
  async () => {
    const { page, states, focused, press, ...team } = await openReview(['One', 'Two', 'Three'])
    team.hold()
    await press('f', 'f', 'u')
    expect(await focused()).toBe('Two')
    team.release()
    await page.getByText('The record is forgotten.').waitFor()
    expect(await states()).toEqual(['forgotten', 'unverified', 'unverified'])
    team.hold()
    await press('v', 'u')
    team.release()
    await page.getByText('The record is no longer verified.').waitFor()
    expect(await states()).toEqual(['forgotten', 'unverified', 'unverified'])
    expect(await page.locator('#queue [data-item]').count()).toBe(2)
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)(
  'acts that cannot be sent wait, and the page says so; they are sent when they can be',
  async () => {
    const { page, states, press, ...team } = await openReview(['One', 'Two', 'Three'])
    await page.context().setOffline(true)
    await press('f', 'v')
    await page.getByText('This browser is offline. 2 acts wait; keep this page open.').waitFor()
    expect(await states()).toEqual(['unverified', 'unverified', 'unverified'])
    await page.context().setOffline(false)
    await waitUntil('both acts', async () => (await page.locator('#queue [data-item]').count()) === 1)
    expect(await states()).toEqual(['forgotten', 'verified', 'unverified'])
    expect(await page.locator('#unsent').textContent()).toBe('')
    await page.route(
      '**/forget',
      (route) => route.fulfill({ status: 503, body: 'not now', headers: { 'retry-after': '1' } }),
      { times: 1 },
    )
    await press('f')
    await page.getByText('The service answers with 503. 1 act waits').waitFor()
    await page.getByText('Nothing to review.').waitFor()
    expect(await states()).toEqual(['forgotten', 'verified', 'forgotten'])
    await team.close()
  },
)

test.skipIf(withoutBrowser)('a refused act is named with the reason, and those behind it are done', async () => {
  const { page, ids, at, post, states, press, ...team } = await openReview(['One', 'Two'])
  team.hold()
  await post(`${at}/records/${ids[0]}/forget`)
  await press('v', 'v')
  team.release()
  await page.getByRole('alert').getByText(`Verify: One. Record '${ids[0]}' is forgotten; restore it first.`).waitFor()
  await page.getByText('Nothing to review.').waitFor()
  expect(await states()).toEqual(['forgotten', 'verified'])
  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect(await page.locator('#refused').textContent()).toBe('')
  await team.close()
})

test.skipIf(withoutBrowser)(
  'acts wait while the session has ended, and are sent once its member has signed in again',
  async () => {
    const { page, url, cookie, states, press, ...team } = await openReview(['One', 'Two'])
    const [name = '', value = ''] = cookie()?.split('=') ?? []
    await page.context().addCookies([{ name, value: 'x'.repeat(43), url }])
    await press('v', 'f')
    await page.getByText('Your session has ended. 2 acts wait; keep this page open.').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('target')).toBe('_blank')
    await page.context().addCookies([{ name, value, url }])
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Nothing to review.').waitFor()
    expect(await states()).toEqual(['verified', 'forgotten'])
    await team.close()
  },
)

test.skipIf(withoutBrowser)(
  'a contradiction has keys of its own, which are on its buttons; keys are found on other keyboards',
  async () => {
    const team = await openTeam()
    const { page, url, at, save, post, standing } = team
    const kept = await save('The port is 8080', { fact_key: 'port' })
    await post(`${at}/records/${kept}/verify`)
    const refused = await save('The port is 9090', { fact_key: 'port' })
    const last = await save('Lunch is at noon')
    await page.goto(`${url}${at}/review`)
    const printed = await page.evaluate<string[]>(
      `[...document.querySelectorAll('#queue button')].map((button) => button.textContent + getComputedStyle(button, '::after').content)`,
    )
    expect(printed).toEqual(['Keep the verified one"1"', 'Take the new one"2"', 'Verify"v"', 'Forget"f"'])
    for (const key of ['j', 'f', 'v']) await page.keyboard.press(key)
    expect(await page.locator('[data-item][inert]').count()).toBe(0)
    const type = (key: string, code: string) =>
      page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${code}', bubbles: true }))`,
      )
    await type('&', 'Digit1')
    await page.getByText('The record is forgotten.').waitFor()
    await type('м', 'KeyV')
    await page.getByText('The record is verified.').waitFor()
    expect([await standing(kept), await standing(last)]).toMatchObject([{ status: 'verified' }, { status: 'verified' }])
    expect((await standing(refused)).forgottenAt).not.toBeNull()
    expect(team.errors).toEqual([])
    await team.close()
  },
)

test.skipIf(withoutBrowser)('the whole menu fits on a low screen', async () => {
  const team = await openTeam()
  const { page, url, at } = team
  await page.goto(`${url}${at}/overview`)
  for (const height of [641, 672, 760, 800, 860, 920, 960, 1_000]) {
    await page.setViewportSize({ width: 1280, height })
    const beyond = await page.evaluate<number>(
      `(() => { const { scrollHeight, clientHeight } = document.querySelector('.side'); return scrollHeight - clientHeight })()`,
    )
    expect({ height, beyond }).toEqual({ height, beyond: 0 })
  }
  await team.close()
})
