import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { limitsOf } from '../../../../src/account/limits/plan.ts'
import { subscribe } from '../../../../src/account/subscription/subscription.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { makeFolder } from '../../../run-cli.ts'
import { embeddedTest, isOnPostgres } from '../../../stored-data.ts'
import { startOrganization } from '../organization.ts'

const PATH = '/console/operator'

/** A service with a backup, the page of the account `Elsewhere`, and what the log of an account says. */
async function start() {
  const backupDir = await makeFolder()
  // What begins as zstd does.
  await Bun.write(
    join(backupDir, 'memsvc-20260115T110000Z.tar.zst'),
    new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]),
  )
  const running = await startOrganization({ config: { backupDir, trashDays: 12, auditDays: 34 } })
  const { service, elsewhere } = running
  return {
    ...running,
    page: `${PATH}/accounts/${elsewhere.id}`,
    present: async () => service.store.control.find('accounts', { id: elsewhere.id }),
    logOf: async (accountId: string, act: string) => service.store.control.listAudit({ accountId, act, limit: 9 }),
  }
}

const factsOn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name = '', value = '']) => [
      name,
      value
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ]),
  )

test('an owner of the first account sees how the service stands, and every account', async () => {
  const { get, elsewhere } = await start()
  const { status, text } = await get(PATH)
  expect(status).toBe(200)
  expect(factsOn(text)).toMatchObject({
    Health: 'ready',
    ...(isOnPostgres
      ? { 'Backups and checks': 'by the tools of the database; Backups' }
      : { 'Last backup': expect.stringMatching(/^1 hour ago , 8 bytes/), 'Check for damage': 'not done yet' }),
    Version: '0.0.0',
    Trash: 'kept for 12 days SVC_TRASH_DAYS',
    'Audit log': 'kept for 34 days SVC_AUDIT_DAYS',
  })
  expect(text).toContain(`<a href="${PATH}/accounts/${elsewhere.id}"><bdi>Elsewhere</bdi></a>`)
  expect((await get('/console/me')).text).toContain(`href="${PATH}"`)
})

test('for everybody else there are no such pages and forms, and nothing is done', async () => {
  const { asAdmin, asMember, asStranger, asNobody, page, present, get, elsewhere } = await start()
  const before = await present()
  const forms = ['subscription', 'subscription/end', 'subscription/none', 'limits', 'suspend', 'resume'].map(
    (name) => `${page}/${name}`,
  )
  for (const browser of [asAdmin, asMember, asStranger]) {
    for (const path of [PATH, page]) {
      const { status, text } = await browser.get(path)
      expect([status, text.includes('SVC_TRASH_DAYS'), text.includes('Limits of its own')]).toEqual([404, false, false])
    }
    for (const path of forms)
      expect((await browser.post(path, { plan: 'free', records: '1', typed: 'Elsewhere' })).status).toBe(404)
  }
  expect((await asNobody.get(PATH)).status).toBe(303)
  expect(await present()).toEqual(before)
  expect((await get(`${PATH}/accounts/none`)).status).toBe(404)
  expect((await get(`${PATH}/accounts/${elsewhere.name}`)).status).toBe(404)
})

test('the plan, the end of a subscription and limits of an account are changed; what is refused is said at its field', async () => {
  const { get, post, page, present, service } = await start()
  expect((await post(`${page}/subscription`, { plan: 'team', until: '2026-03-01' })).place).toStartWith(
    `${page}?done=subscription.saved`,
  )
  expect(await present()).toMatchObject({ plan: 'team', subscribedUntil: Date.UTC(2026, 2, 1) })
  for (const [fields, field] of [
    [{ plan: 'gold', until: '' }, 'plan'],
    [{ plan: 'team', until: '2025-01-01' }, 'until'],
    [{ plan: 'team', until: '2026-02-31' }, 'until'],
  ] as const) {
    const { status, text } = await post(`${page}/subscription`, { ...fields })
    expect([status, text.includes(`id="${field}-fault"`)]).toEqual([400, true])
  }
  await post(`${page}/limits`, { records: '7', callsPerKey: '' })
  const changed = await present()
  expect([changed?.limits, changed && limitsOf(changed).records, changed && limitsOf(changed).callsPerKey]).toEqual([
    { records: 7 },
    7,
    300,
  ])
  const refused = await post(`${page}/limits`, { records: '1.5', workspaces: '3' })
  expect(refused.text).toContain('id="records-fault"')
  expect(refused.text).toContain('value="3"')
  expect((await present())?.limits).toEqual({ records: 7 })
  await post(`${page}/limits`, { records: '' })
  expect((await present())?.limits).toEqual({})
  await post(`${page}/subscription/end`)
  expect((await present())?.subscribedUntil).toBe(service.clock.now())
  expect(factsOn((await get(page)).text).State).toBe('grace')
  await post(`${page}/subscription/none`)
  expect(await present()).toMatchObject({ subscribedAt: null, subscribedUntil: null })
  await post(`${page}/subscription`, { plan: 'team', until: '' })
  expect(await present()).toMatchObject({ subscribedAt: service.clock.now(), subscribedUntil: null })
})

test('a plan is changed without a change of when the subscription ends, also where that is in the middle of a day', async () => {
  const { get, post, page, present, service, elsewhere } = await start()
  const until = Date.parse('2026-03-01T18:00:00Z')
  await subscribe(service, COMMAND_LINE, { account: elsewhere, plan: 'free', until })
  expect((await get(page)).text).toContain('value="2026-03-01"')
  await post(`${page}/subscription`, { plan: 'team', until: '2026-03-01' })
  expect(await present()).toMatchObject({ plan: 'team', subscribedUntil: until })
  await post(`${page}/subscription`, { plan: 'team', until: '2026-03-02' })
  expect(await present()).toMatchObject({ subscribedUntil: Date.parse('2026-03-02') })
})

test('an account is suspended by typing its name, and resumed; not the own one', async () => {
  const { get, post, page, present, asStranger, account, service } = await start()
  const { status, text } = await post(`${page}/suspend`, { typed: 'Elsewher' })
  expect([status, text.includes('id="typed-fault"')]).toEqual([400, true])
  expect((await present())?.suspendedAt).toBeNull()
  await post(`${page}/suspend`, { typed: 'Elsewhere' })
  expect((await present())?.suspendedAt).toBe(service.clock.now())
  expect((await asStranger.get('/console')).status).toBe(303)
  expect((await get(PATH)).text).toContain('suspended by the operator')
  await post(`${page}/resume`)
  expect((await present())?.suspendedAt).toBeNull()
  expect((await asStranger.get('/console')).status).toBe(200)
  const own = `${PATH}/accounts/${account.id}`
  expect((await get(own)).text).not.toContain('<h2>Suspend')
  expect((await post(`${own}/suspend`, { typed: account.name })).text).toContain('you would be locked out here')
  expect((await get(PATH)).status).toBe(200)
})

test('the log of the account says that the operator did it; who that was, and from where, is in the operator’s own', async () => {
  const { post, page, logOf, account, elsewhere, owner } = await start()
  await post(`${page}/limits`, { records: '7' })
  const common = {
    act: 'account.limits',
    target: elsewhere.id,
    details: { records: 7, changes: expect.stringMatching(/^records from \d+ to 7$/) },
    outcome: 'done',
  }
  expect(await logOf(elsewhere.id, 'account.limits')).toMatchObject([{ ...common, actor: 'operator', via: 'console' }])
  expect(await logOf(account.id, 'account.limits')).toMatchObject([
    { ...common, actor: `member:${owner.id}`, via: '127.0.0.1' },
  ])
  await post(`${PATH}/accounts/${account.id}/limits`, { records: '8' })
  expect(await logOf(account.id, 'account.limits')).toHaveLength(2)
})

test('what was done to another account is shown to the operator by its name, and to no admin of the first account', async () => {
  const { post, get, asAdmin, page, elsewhere } = await start()
  await post(`${page}/suspend`, { typed: 'Elsewhere' })
  const log = '/console/audit?act=account.suspend'
  const { text } = await get(log)
  expect(text).toContain(`<a href="${page}"><bdi>Elsewhere</bdi></a>`)
  for (const path of [log, '/console/audit', '/console/audit.csv']) {
    const { text: shown } = await asAdmin.get(path)
    expect([shown.includes('Elsewhere'), shown.includes(elsewhere.id)]).toEqual([false, false])
  }
})

test('accounts are listed fifty at a time', async () => {
  const { get, org } = await start()
  for (let at = 0; at < 55; at++) await org.addAccount(`account ${at}`)
  expect((await get(PATH)).text).toContain(`href="${PATH}?page=2">More</a>`)
  expect((await get(`${PATH}?page=2`)).text).toContain('account 54')
})

embeddedTest('checks of files')('a look for damage that found some is said', async () => {
  const { service, get } = await start()
  const entry = {
    accountId: null,
    projectId: null,
    actor: 'service',
    act: 'data.check',
    target: null,
    via: null,
    outcome: 'failed' as const,
  }
  await service.store.control.write((tx) =>
    tx.insertAudit({ ...entry, at: service.clock.now() - DAY_MS, details: { files: 3, faults: 2 } }),
  )
  expect(factsOn((await get(PATH)).text)['Check for damage']).toMatch(/2 faults$/)
})
