import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../../src/account/auth/entry-link.ts'
import { browse, inSession, PASSWORD, signedIn, startConsole } from './browse.ts'
import { fieldsOf } from './team.ts'

const ME = '/console/me'

test('changes a name at once, and an address when it is confirmed, by which the person signs in from then on', async () => {
  const { url, get, post, service } = await startConsole()
  expect((await post(ME, { name: 'Ana', email: 'owner@localhost' })).place).toStartWith(
    '/console/me?done=profile.changed',
  )
  expect((await get('/console/me?done=profile.changed')).text).toContain('role="status">Your name is changed.')
  expect((await post(ME, { name: 'Ana', email: 'Ana@Example.org' })).place).toBe('/console/me?done=address.wished')
  const { text } = await get(ME)
  expect(text).toContain('You asked for <bdi>ana@example.org</bdi>')
  expect(text).toContain('<a href="/console/people">Confirm it under People</a>')
  const enter = async (email: string) =>
    (await browse(url).post('/console/sign-in', { email, password: PASSWORD })).status
  expect([await enter('ana@example.org'), await enter('owner@localhost')]).toEqual([400, 303])
  const people = await get('/console/people')
  await post('/console/people/addresses', fieldsOf(people.text, '/console/people/addresses'))
  expect([await enter('ana@example.org'), await enter('owner@localhost')]).toEqual([303, 400])
  const lines = await service.store.control.listAudit({ limit: 30 })
  const details = (act: string) => lines.find((line) => line.act === act)?.details
  expect(details('member.change')).toEqual({ from: 'Owner', name: 'Ana' })
  expect(details('member.address')).toEqual({ from: 'owner@localhost', email: 'ana@example.org' })
})

test('takes back the wish for another address', async () => {
  const { get, post } = await startConsole()
  await post(ME, { name: 'Ana', email: 'ana@example.org' })
  expect((await post(`${ME}/address/withdraw`)).place).toBe('/console/me?done=address.withdrawn')
  expect((await get(ME)).text).not.toContain('ana@example.org')
})

test('refuses an address that is none, and keeps what was typed', async () => {
  const { post } = await startConsole()
  const refused = await post(ME, { name: 'Ana <x>', email: 'nonsense' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('&#x27;nonsense&#x27; is not an e-mail address.')
  expect(refused.text).toContain('value="Ana &lt;x&gt;"')
})

test('a new password ends every other session and every older password', async () => {
  const { url, service, owner, get, post } = await startConsole()
  const wrong = await post(`${ME}/password`, { old: 'not it at all', password: 'another long sentence' })
  expect(wrong.text).toContain('The current password is not right.')
  const other = browse(url)
  await other.post('/console/sign-in', { email: owner.email, password: PASSWORD })
  expect((await post(`${ME}/password`, { old: PASSWORD, password: 'another long sentence' })).place).toBe(
    '/console/me?done=password.changed',
  )
  expect([(await get(ME)).status, (await other.get(ME)).status]).toEqual([200, 303])
  const enter = async (password: string) =>
    (await browse(url).post('/console/sign-in', { email: owner.email, password })).status
  expect([await enter(PASSWORD), await enter('another long sentence')]).toEqual([400, 303])
  const acts = (await service.store.control.listAudit({ limit: 20 })).map(({ act }) => act)
  expect(acts).toContain('member.password')
})

test('a new password kills a link by which another could be chosen', async () => {
  const { url, service, owner, post } = await startConsole()
  const link = `/console/enter/${await makeEntryLink(service, COMMAND_LINE, owner)}`
  await post(`${ME}/password`, { old: PASSWORD, password: 'another long sentence' })
  expect((await browse(url).get(link)).status).toBe(404)
})

test('of two changes of one password at once, one is made', async () => {
  const { post } = await startConsole()
  const change = (password: string) => post(`${ME}/password`, { old: PASSWORD, password })
  const answers = await Promise.all([change('another long sentence'), change('one more long sentence')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400])
})

test('each session has the device and the address that it was begun from, and is ended by itself, those of others by nobody', async () => {
  const { url, owner, get, post, org, service } = await startConsole()
  const phone = browse(url)
  const agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
  await phone.post('/console/sign-in', { email: owner.email, password: PASSWORD }, { 'user-agent': agent })
  const { text } = await get(ME)
  expect(text).toContain('<bdi>Safari on iOS</bdi>')
  const [end = ''] = /\/console\/me\/sessions\/[^"]+(?="[^>]*>(?:<input[^>]*>)?<button[^>]*Safari)/.exec(text) ?? []
  const other = await inSession(service, url, await org.addMember('Mel'))
  expect((await other.post(end)).text).toContain('This session has ended already.')
  expect((await post(end)).place).toBe('/console/me?done=session.closed')
  expect([(await phone.get(ME)).status, (await get(ME)).status]).toEqual([303, 200])
  expect((await post(end)).status).toBe(400)
  const [line] = await service.store.control.listAudit({ act: 'session.end', limit: 1 })
  expect(line?.details).toEqual({ from: '127.0.0.1', device: 'Safari on iOS' })
  const own = /\/console\/me\/sessions\/[^"]+/.exec((await get(ME)).text)?.[0] ?? ''
  expect((await post(own)).place).toBe('/console/sign-in?done=session.ended')
})

test('signing out ends this session, and signing out everywhere all of them', async () => {
  const { url, service, owner, get, post } = await startConsole()
  const other = browse(url)
  await other.post('/console/sign-in', { email: owner.email, password: PASSWORD })
  const left = await other.post('/console/sign-out')
  expect(left.place).toBe('/console/sign-in?done=session.ended')
  expect(left.headers.get('set-cookie')).toContain('Max-Age=0')
  expect([(await get(ME)).status, (await other.get(ME)).status]).toEqual([200, 303])
  const third = await signedIn(service, url, owner)
  expect((await get(ME)).status).toBe(303)
  expect((await third.get(ME)).text).toContain('this session')
  expect((await third.post(`${ME}/sessions`)).place).toBe('/console/sign-in?done=sessions.ended')
  expect((await third.get(ME)).status).toBe(303)
  const late = await post(ME, { name: 'Zoë', email: 'x@example.org' })
  expect([late.status, late.place]).toEqual([401, null])
  expect(late.text).toContain('name="name" value="Zoë"')
})
