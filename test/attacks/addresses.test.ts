import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../src/account/auth/entry-link.ts'
import { commandsBeside } from '../command-line.ts'
import { browse, PASSWORD, withoutFormIds } from '../http/console/browse.ts'
import { startOrganization } from '../http/console/organization.ts'
import { fieldsOf } from '../http/console/team.ts'

const ME = '/console/me'
const PEOPLE = '/console/people'
const ADDRESSES = `${PEOPLE}/addresses`

test('a member is told the same of every address they want, and takes none', async () => {
  const { asMember, member, stranger, admin, service } = await startOrganization()
  const answers: unknown[] = []
  for (const email of [stranger.email, admin.email, 'nobody@example.org']) {
    const { status, place } = await asMember.post(ME, { name: 'Mel', email })
    const page = await asMember.get(place ?? '')
    answers.push({ status, place, text: withoutFormIds(page.text).replaceAll(email, '…') })
    expect((await service.store.control.findMembers(member.id, 1))[0]?.email).toBe(member.email)
  }
  expect(answers[0]).toEqual(answers[2])
  expect(answers[1]).toEqual(answers[2])
})

test('somebody who manages the account confirms the address that they saw; a member confirms nothing', async () => {
  const { asMember, asAdmin, asStranger, post, get, member, admin, service } = await startOrganization()
  await asMember.post(ME, { name: 'Mel', email: 'mel@new.example' })
  const seen = fieldsOf((await asAdmin.get(PEOPLE)).text, ADDRESSES)
  expect(seen).toMatchObject({ member: member.id, address: 'mel@new.example', confirmed: 'yes' })
  for (const who of [asMember, asStranger]) expect((await who.post(ADDRESSES, seen)).status).toBe(400)

  await asMember.post(ME, { name: 'Mel', email: admin.email })
  const stale = await asAdmin.post(ADDRESSES, seen)
  expect(stale.text).toContain('This request was withdrawn or changed meanwhile; look again.')
  const taken = await post(ADDRESSES, fieldsOf((await get(PEOPLE)).text, ADDRESSES))
  expect(taken.text).toContain('is already a member of the account.')
  expect((await service.store.control.findMembers(member.id, 1))[0]?.email).toBe(member.email)

  await asMember.post(ME, { name: 'Mel', email: 'mel@new.example' })
  expect((await asAdmin.post(ADDRESSES, seen)).place).toBe(`${PEOPLE}?done=address.confirmed`)
  expect((await service.store.control.findMembers(member.id, 1))[0]?.email).toBe('mel@new.example')
  expect((await asAdmin.get(PEOPLE)).text).not.toContain(ADDRESSES)
})

test('an admin gives an owner no other address; an owner does, also themselves, in a second step', async () => {
  const { asAdmin, post, get, owner, service } = await startOrganization()
  await post(ME, { name: 'Owner', email: 'boss@example.org' })
  const fields = { member: owner.id, address: 'boss@example.org', confirmed: 'yes' }
  expect((await asAdmin.post(ADDRESSES, fields)).text).toContain('Only an owner may make, change or remove an owner.')
  expect((await asAdmin.get(PEOPLE)).text).not.toContain(`action="${ADDRESSES}"`)
  expect((await service.store.control.findMembers(owner.id, 1))[0]?.email).toBe(owner.email)
  await post(ADDRESSES, fieldsOf((await get(PEOPLE)).text, ADDRESSES))
  expect((await service.store.control.findMembers(owner.id, 1))[0]?.email).toBe('boss@example.org')
})

test('inviting an address, and following the link, tells nothing of members of other accounts', async () => {
  const { asAdmin, asStranger, stranger, url, service, account, member } = await startOrganization()
  const link = (text: string) => new URL(/<code class="secret">([^<]*)</.exec(text)?.[1] ?? '').pathname
  const invite = async (who: typeof asAdmin, email: string) => {
    const invited = await who.post(`${PEOPLE}/invitations`, { email, role: 'member', department: '', days: '7' })
    const browser = browse(url)
    const joined = await browser.post(link(invited.text), { name: 'Somebody', password: 'another long password' })
    return { invited: invited.status, joined: joined.status, place: joined.place }
  }
  expect(await invite(asAdmin, stranger.email)).toEqual(await invite(asAdmin, 'nobody@example.org'))
  expect((await invite(asStranger, member.email)).joined).toBe(303)
  expect((await service.store.control.find('members', { email: stranger.email, accountId: account.id }))?.name).toBe(
    'Somebody',
  )
})

test('an address of two accounts comes into the one it names, the first without a name, and a known browser into its own', async () => {
  const { url, service, stranger, member } = await startOrganization()
  const { json } = commandsBeside(service)
  await json('member', 'add', '--account', 'default', '--email', stranger.email, '--name', 'Stan of default')
  const twin = await service.store.control.find('members', { email: stranger.email, accountId: member.accountId })
  if (twin === undefined) throw new Error('not added')
  const first = browse(url)
  await first.post(`/console/enter/${await makeEntryLink(service, COMMAND_LINE, stranger)}`, { password: PASSWORD })
  const second = browse(url)
  const entered = await second.post(`/console/enter/${await makeEntryLink(service, COMMAND_LINE, twin)}`, {
    password: 'another long password',
  })
  const known = entered.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
  const enter = (form: Record<string, string>, headers = {}) =>
    browse(url).post('/console/sign-in', { email: stranger.email, ...form }, headers)
  expect((await enter({ password: PASSWORD })).status).toBe(303)
  expect((await enter({ password: 'another long password' })).status).toBe(400)
  expect((await enter({ password: 'another long password', account: 'default' })).status).toBe(303)
  expect((await enter({ password: 'another long password' }, { cookie: known })).status).toBe(303)
})

test('the operator names the account of an address that several have', async () => {
  const { service, stranger } = await startOrganization()
  const { json, refusal } = commandsBeside(service)
  await json('member', 'add', '--account', 'default', '--email', stranger.email, '--name', 'Stan of default')
  expect(await refusal('member', 'link', stranger.email)).toBe(
    `several accounts have a member '${stranger.email}'; name the account too, or give the member's id`,
  )
  await json('member', 'link', stranger.email, '--account', 'Elsewhere')
})
