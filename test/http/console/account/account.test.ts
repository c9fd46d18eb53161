import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { overrideLimits } from '../../../../src/account/limits/override-limits.ts'
import { dropSubscription, subscribe } from '../../../../src/account/subscription/subscription.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { startOrganization } from '../organization.ts'

const PATH = '/console/account'

test('shows the plan and its limits, and which numbers are the account’s own', async () => {
  const { asAdmin, service, account } = await startOrganization()
  await subscribe(service, COMMAND_LINE, { account, plan: 'team', until: null })
  await overrideLimits(service, COMMAND_LINE, { account, overrides: { records: '75000' } })
  const { text } = await asAdmin.get(PATH)
  const rows = [...text.matchAll(/data-label="What">([^<]*)<.*?class="number">([^<]*)<.*?data-label="From">([^<]*)</g)]
  expect(rows.map(([, ...cells]) => cells)).toEqual([
    ['Calls per key in 60 s', '300', 'plan'],
    ['Calls per project in 60 s', '1,000', 'plan'],
    ['Records per project', '75,000', 'set for this account'],
    ['Content per project', '256 MiB', 'plan'],
    ['Workspaces per project', '200', 'plan'],
    ['Session histories per project', '8 GiB', 'plan'],
  ])
  expect(text).toContain('no end')
})

test('says in which state the subscription is, until when, and what works in it', async () => {
  const { again, service, account, pass } = await startOrganization()
  const text = async () => (await (await again()).get(PATH)).text
  await subscribe(service, COMMAND_LINE, { account, plan: 'team', until: service.clock.now() + DAY_MS })
  expect(await text()).toContain('>active<')
  pass(DAY_MS)
  const grace = await text()
  for (const shown of ['>grace<', 'not saving or forgetting.', '16 Jan 2026, 12:00 UTC', '30 Jan 2026, 12:00 UTC'])
    expect(grace).toContain(shown)
  pass(14 * DAY_MS)
  expect(await text()).toContain('>suspended<')
  await dropSubscription(service, COMMAND_LINE, account)
  expect(await text()).toContain('>none<')
})

test('is renamed by an owner, and not to the name of another account', async () => {
  const { asAdmin, get, post } = await startOrganization()
  expect((await asAdmin.get(PATH)).text).not.toContain('name="name"')
  expect((await asAdmin.post(PATH, { name: 'Mine' })).text).toContain('Only an owner of the account may do this.')
  expect((await post(PATH, { name: 'Elsewhere' })).status).toBe(400)
  expect((await post(PATH, { name: 'Water Mill' })).place).toStartWith(`${PATH}?done=account.renamed`)
  expect((await get(PATH)).text).toContain('Water Mill')
})

test('has what becomes of credentials, which owners and admins set', async () => {
  const { asAdmin, asMember, service } = await startOrganization()
  expect((await asAdmin.get(PATH)).text).toContain('<option value="reject" selected>Refuse the record</option>')
  expect((await asAdmin.post(`${PATH}/credentials`, { credentials: 'mask' })).place).toStartWith(
    `${PATH}?done=account.credentials`,
  )
  expect((await asAdmin.get(PATH)).text).toContain('<option value="mask" selected>')
  expect((await asAdmin.post(`${PATH}/credentials`, { credentials: 'sell' })).status).toBe(400)
  expect((await asMember.post(`${PATH}/credentials`, { credentials: 'allow' })).status).toBe(400)
  expect(await service.store.control.listAudit({ act: 'account.credentials', limit: 9 })).toMatchObject([
    { details: { from: 'reject', to: 'mask' } },
  ])
})
