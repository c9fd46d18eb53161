import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { enterByLink, makeEntryLink } from '../../src/account/auth/entry-link.ts'
import { listOpenSessions, openSession, rememberBrowser } from '../../src/account/auth/session.ts'
import { signInMember } from '../../src/account/auth/sign-in.ts'
import { toActor } from '../builders/organization.ts'
import { browse, PASSWORD, startConsole } from '../http/console/browse.ts'
import { startOrganization } from '../http/console/organization.ts'
import { readControlText } from '../stored-data.ts'

const SIGN_IN = '/console/sign-in'
const MINUTE = 60_000

/** Signs in and keeps all cookies of the answer, as a browser does. */
async function comeIn(url: string, email: string) {
  const { status, headers } = await browse(url).post(SIGN_IN, { email, password: PASSWORD })
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  return { status, known: cookies.find((cookie) => cookie.startsWith('memsvc_browser=')) ?? '' }
}

/** A console whose owner has signed in by password once, and what it takes to enter passwords from somewhere. */
async function startAttacked() {
  const running = await startConsole()
  const { url, owner, pass } = running
  const { known } = await comeIn(url, owner.email)
  pass(MINUTE)
  const enter = (password: string, headers: Record<string, string> = {}, email = owner.email) =>
    browse(url).post(SIGN_IN, { email, password }, headers)
  return { ...running, known, enter }
}

test('whoever floods wrong passwords keeps out nobody who signed in with their browser before', async () => {
  const { enter, known } = await startAttacked()
  for (let time = 0; time < 12; time++) await enter('wrong password')
  expect((await enter(PASSWORD)).status).toBe(429)
  expect((await enter(PASSWORD, { cookie: known })).status).toBe(303)
})

test('whoever has many addresses tries sixty passwords a minute for one e-mail address, and as many for another', async () => {
  const { enter, known } = await startAttacked()
  const from = (host: number) => ({ 'x-forwarded-for': `203.0.113.${host}` })
  for (let time = 0; time < 60; time++)
    expect((await enter('wrong password', from(Math.floor(time / 5)))).status).toBe(400)
  expect((await enter(PASSWORD, from(100))).status).toBe(429)
  expect((await enter('wrong password', from(100), 'ada@example.org')).status).toBe(400)
  expect((await enter(PASSWORD, { ...from(100), cookie: known })).status).toBe(303)
})

test('a known browser has a small window of its own, and lets nobody else in', async () => {
  const { enter, known, pass, service, account, url } = await startAttacked()
  for (let time = 0; time < 5; time++) expect((await enter('wrong password', { cookie: known })).status).toBe(400)
  const refused = await enter(PASSWORD, { cookie: known })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  pass(MINUTE)
  for (let time = 0; time < 5; time++) await enter('wrong password', { cookie: known }, 'ada@example.org')
  expect((await enter(PASSWORD, { cookie: known }, 'ada@example.org')).status).toBe(429)
  expect(await service.store.control.list('members', { accountId: account.id })).toHaveLength(1)
  expect((await browse(url).get('/console', { cookie: known })).place).toBe(SIGN_IN)
})

test('a browser is unknown again once its member signs out everywhere or has another password', async () => {
  const { enter, known, post } = await startAttacked()
  await post('/console/me/sessions')
  for (let time = 0; time < 6; time++) await enter('wrong password')
  expect((await enter(PASSWORD, { cookie: known })).status).toBe(429)
})

test('whoever enters the old password just before it is replaced has no session afterwards', async () => {
  const { service, owner } = await startConsole()
  const token = await makeEntryLink(service, COMMAND_LINE, owner)
  const verify = async (password: string, hash: string | undefined) => {
    const isRight = await service.passwords.verify(password, hash)
    await enterByLink(service, { token, password: 'another good password', clientIp: '192.0.2.1' })
    return isRight
  }
  const replacedMeanwhile = { ...service, passwords: { ...service.passwords, verify } }
  const entered = { email: owner.email, password: PASSWORD, clientIp: '192.0.2.2' }
  expect(await signInMember(replacedMeanwhile, entered)).toBeUndefined()
  expect((await listOpenSessions(service, owner)).map(({ clientIp }) => clientIp)).toEqual(['192.0.2.1'])
  expect((await service.store.control.listAudit({ limit: 1 }))[0]).toMatchObject({
    act: 'sign-in.fail',
    target: owner.id,
  })
})

test('keeps of a known browser only a hash, of ten browsers at most', async () => {
  const { service, owner, known, pass } = await startAttacked()
  const token = known.split('=')[1] ?? ''
  expect(token).toHaveLength(43)
  await service.store.check()
  expect(await readControlText(service.config)).not.toContain(token)
  const digest = new Bun.CryptoHasher('sha256').update(token).digest('hex')
  expect((await service.store.control.find('browsers', { digest }))?.memberId).toBe(owner.id)
  for (let time = 0; time < 10; time++) {
    pass(MINUTE)
    await rememberBrowser(service, owner, [])
  }
  expect((await service.store.control.find('browsers', { digest }))?.memberId).toBeUndefined()
})

test('an address of another account is told from one of nobody neither by the answer nor by the cookie', async () => {
  const { url, stranger, pass } = await startOrganization()
  const answers: unknown[] = []
  for (const email of [stranger.email, 'nobody@example.org']) {
    for (let time = 0; time < 6; time++) {
      const { status, text, headers } = await browse(url).post(SIGN_IN, { email, password: 'wrong password' })
      answers.push({ time, status, text: text.replaceAll(email, '…'), cookie: headers.get('set-cookie') })
    }
    pass(MINUTE)
  }
  expect(answers.slice(0, 6)).toEqual(answers.slice(6))
})

test('sessions of one member are bounded: those begun first end', async () => {
  const { service, owner } = await startConsole()
  const actor = await toActor(service, owner)
  await service.store.control.write(async (tx) => {
    for (let time = 0; time < 55; time++) await openSession(service, tx, actor, null)
  })
  expect(await service.store.control.list('sessions', { memberId: owner.id }, { newestFirst: true })).toHaveLength(50)
})
