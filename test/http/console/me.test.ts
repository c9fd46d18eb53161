import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/audit.ts'
import { makeEntryLink } from '../../../src/account/entry-link.ts'
import { commandsBeside } from '../../command-line.ts'
import { browse, PASSWORD, signedIn, startConsole } from './browse.ts'

const ME = '/console/me'

test('changes a name and an address, by which the person signs in from then on', async () => {
  const { url, get, post, service } = await startConsole()
  expect((await post(ME, { name: 'Ana', email: 'Ana@Example.org' })).place).toBe('/console/me?done=profile.changed')
  const page = await get('/console/me?done=profile.changed')
  expect(page.text).toContain('role="status">Your name and address are changed.')
  expect(page.text).toContain('value="ana@example.org"')
  expect((await browse(url).post('/console/sign-in', { email: 'ana@example.org', password: PASSWORD })).status).toBe(303)
  const [line] = await service.store.control.listAudit({ act: 'member.change', limit: 1 })
  expect(line?.details).toEqual({ from: 'owner@localhost', email: 'ana@example.org', name: 'Ana' })
})

test('refuses an address that is none or somebody else’s, and keeps what was typed', async () => {
  const { service, post } = await startConsole()
  await commandsBeside(service).json('member', 'add', '--email', 'ben@example.org', '--name', 'Ben')
  const taken = await post(ME, { name: 'Ana <x>', email: 'ben@example.org' })
  expect(taken.status).toBe(400)
  expect(taken.text).toContain('&#x27;ben@example.org&#x27; is already a member of an account.')
  expect(taken.text).toContain('value="Ana &lt;x&gt;"')
  expect((await post(ME, { name: 'Ana', email: 'nonsense' })).text).toContain('&#x27;nonsense&#x27; is not an e-mail address.')
})

test('a new password ends every other session and every older password', async () => {
  const { url, service, owner, get, post } = await startConsole()
  const wrong = await post(`${ME}/password`, { old: 'not it at all', password: 'another long sentence' })
  expect(wrong.text).toContain('The present password is not right.')
  const other = browse(url)
  await other.post('/console/sign-in', { email: owner.email, password: PASSWORD })
  expect((await post(`${ME}/password`, { old: PASSWORD, password: 'another long sentence' })).place).toBe(
    '/console/me?done=password.changed',
  )
  expect([(await get(ME)).status, (await other.get(ME)).status]).toEqual([200, 303])
  const enter = async (password: string) => (await browse(url).post('/console/sign-in', { email: owner.email, password })).status
  expect([await enter(PASSWORD), await enter('another long sentence')]).toEqual([400, 303])
  const acts = (await service.store.control.listAudit({ limit: 20 })).map(({ act }) => act)
  expect(acts).toContain('member.password')
})

test('a new password kills a link by which another could be chosen', async () => {
  const { url, service, owner, post } = await startConsole()
  const link = `/console/enter/${await makeEntryLink(service, owner, COMMAND_LINE)}`
  await post(`${ME}/password`, { old: PASSWORD, password: 'another long sentence' })
  expect((await browse(url).get(link)).status).toBe(404)
})

test('of two changes of one password at once, one is made', async () => {
  const { post } = await startConsole()
  const change = (password: string) => post(`${ME}/password`, { old: PASSWORD, password })
  const answers = await Promise.all([change('another long sentence'), change('one more long sentence')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400])
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
  expect((await third.get(ME)).text).toContain('this one')
  expect((await third.post(`${ME}/sessions`)).place).toBe('/console/sign-in?done=sessions.ended')
  expect((await third.get(ME)).status).toBe(303)
  expect((await post(ME, { name: 'x', email: 'x@example.org' })).place).toBe('/console/sign-in')
})
