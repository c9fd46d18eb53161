import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { makeEntryLink } from '../../src/account/auth/entry-link.ts'
import { rotateKey } from '../../src/account/keys/key.ts'
import { MINUTE_MS } from '../../src/clock.ts'
import type { Member } from '../../src/store/account.ts'
import { browse, inSession, readCode, startConsole } from '../http/console/browse.ts'
import { claudeLine, createUploadClient } from './upload-client.ts'

const SECRET_TEXT = 'what only Ben may read'

/** An owner in the console; Ben, whose key has uploaded a session, is signed in with a password that he chose. */
async function start() {
  const running = await startConsole()
  const { service, org, url, at } = running
  const ben = await org.addMember('Ben')
  const bens = browse(url)
  await bens.post(`/console/enter/${await makeEntryLink(service, COMMAND_LINE, ben)}`, {
    password: 'a password of his own',
  })
  const key = await org.keyOf(ben)
  const client = createUploadClient(url, key)
  await client.append(await client.head(), [claudeLine('u1', SECRET_TEXT)])
  const list = `${at}/sessions`
  const current = async (): Promise<Member> => (await service.store.control.findMembers(ben.id, 1))[0] ?? ben
  /** Somebody who has a link for a member, made by this actor, and chooses a password. */
  async function enterAs(member: Member, by = COMMAND_LINE) {
    const browser = browse(url)
    await browser.post(`/console/enter/${await makeEntryLink(service, by, member)}`, {
      password: 'chosen by somebody else',
    })
    return browser
  }
  const enterAsBen = async (by = COMMAND_LINE) => enterAs(await current(), by)
  /** A new key of a member's, issued in the console. */
  async function issueAs({ id }: Member, browser: Pick<ReturnType<typeof browse>, 'post'>): Promise<string> {
    const { text } = await browser.post(`${at}/keys`, { label: 'another', holder: id, expires: '' })
    return /svc_\w{36}/.exec(text)?.[0] ?? ''
  }
  const issueIn = (browser: Pick<ReturnType<typeof browse>, 'post'>) => issueAs(ben, browser)
  const sees = async ({ get }: Pick<ReturnType<typeof browse>, 'get'>) => (await get(list)).text.includes(SECRET_TEXT)
  return { ...running, ben, bens, key, client, list, enterAs, enterAsBen, issueAs, issueIn, sees, current }
}

test('a sign-in sees uploaded sessions only after it was confirmed, once, with a code from a machine that uploads them', async () => {
  const { bens, sees, list, url, key, ben, service, client } = await start()
  expect(await sees(bens)).toBe(false)
  expect((await bens.get(list)).text).toContain('memsvc sync console')
  const { source_id: id } = await client.head()
  for (const path of ['', '/export', '/lines/1']) expect((await bens.get(`${list}/${id}${path}`)).status).toBe(404)
  for (const code of ['', 'AAAAA-AAAAA', await readCode(url, key).then((one) => one.slice(0, -1))]) {
    const { status, text } = await bens.post(`${list}/confirm`, { code })
    expect([status, text]).toEqual([400, expect.stringContaining('This code is wrong, or no longer valid')])
  }
  const code = await readCode(url, key)
  expect(await bens.post(`${list}/confirm`, { code: ` ${code.toLowerCase().replace('-', ' ')} ` })).toMatchObject({
    status: 303,
  })
  expect(await sees(bens)).toBe(true)
  expect(await sees(await inSession(service, url, ben))).toBe(true)
})

test('a code ends, and is for the sign-in of one member alone', async () => {
  const { bens, list, url, key, secret, pass, post, at } = await start()
  const late = await readCode(url, key)
  pass(20 * MINUTE_MS)
  const confirm = async (code: string) => (await bens.post(`${list}/confirm`, { code })).status
  expect([await confirm(late), await confirm(await readCode(url, secret))]).toEqual([400, 400])
  const soon = await readCode(url, key)
  pass(9 * MINUTE_MS)
  expect((await post(`${at}/sessions/confirm`, { code: soon })).status).toBe(400)
  expect(await confirm(soon)).toBe(303)
})

test("a password set through somebody else's link ends that, and no key that is issued then reads the sessions or makes a code", async () => {
  const { bens, sees, list, url, key, enterAsBen, issueIn, service, current } = await start()
  await bens.post(`${list}/confirm`, { code: await readCode(url, key) })
  const before = await readCode(url, key)
  const other = await enterAsBen()
  expect([await sees(other), (await other.get(list)).text]).toEqual([
    false,
    expect.stringContaining('a link that somebody else made'),
  ])
  expect((await other.post(`${list}/confirm`, { code: before })).status).toBe(400)
  const issued = createUploadClient(url, await issueIn(other))
  const [mine] = (await service.store.control.list('keys', { memberId: (await current()).id })).filter(
    ({ readsHistories }) => readsHistories,
  )
  if (mine === undefined) throw new Error('Ben has no key')
  const actor = { kind: 'member', member: await current(), account: await accountOf(service), clientIp: null } as const
  const { secret: rotated } = await rotateKey(service, actor, { key: mine, overlapMs: MINUTE_MS })
  for (const client of [issued, createUploadClient(url, rotated)]) {
    const refused = {
      status: 400,
      body: { error: { message: expect.stringContaining('this key uploads sessions and does not read them') } },
    }
    expect(await client.get('sessions')).toMatchObject(refused)
    expect(await client.send('POST', 'console-code', undefined, {})).toMatchObject(refused)
    expect((await client.ask([{ session_id: 'more' }])).status).toBe(200)
  }
  expect((await createUploadClient(url, key).get('sessions')).body.sessions).toHaveLength(1)
  expect(await other.post(`${list}/confirm`, { code: await readCode(url, key) })).toMatchObject({ status: 303 })
  expect(await sees(other)).toBe(true)
  expect((await createUploadClient(url, await issueIn(other)).get('sessions')).status).toBe(200)
  expect((await issued.get('sessions')).status).toBe(400)
})

test('a link that a member made for themselves, and a link before anything was uploaded, end nothing', async () => {
  const { bens, sees, list, url, key, org, service, enterAs, enterAsBen, issueAs, current } = await start()
  await bens.post(`${list}/confirm`, { code: await readCode(url, key) })
  await service.store.control.write(async (tx) => tx.update('members', { id: (await current()).id }, { role: 'owner' }))
  const self = { kind: 'member', member: await current(), account: await accountOf(service), clientIp: null } as const
  expect(await sees(await enterAsBen(self))).toBe(true)
  const cara = await org.addMember('Cara')
  const given = createUploadClient(url, await org.keyOf(cara))
  const client = createUploadClient(url, await issueAs(cara, await enterAs(cara)))
  await client.append(await client.head(), [claudeLine('u1', 'hers')])
  for (const one of [client, given]) expect((await one.get('sessions')).body.sessions).toHaveLength(1)
})

test('who used the first link of a member before anything was uploaded reads nothing of what the member uploads later', async () => {
  const { url, org, enterAs, issueAs } = await start()
  const cara = await org.addMember('Cara')
  await org.keyOf(cara)
  const taken = createUploadClient(url, await issueAs(cara, await enterAs(cara)))
  expect((await taken.get('sessions')).status).toBe(200)
  const own = createUploadClient(url, await issueAs(cara, await enterAs(cara)))
  await own.append(await own.head(), [claudeLine('u1', SECRET_TEXT)])
  expect((await taken.get('sessions')).status).toBe(400)
  expect((await taken.send('POST', 'console-code', undefined, {})).status).toBe(400)
  expect((await own.get('sessions')).body.sessions).toHaveLength(1)
  expect((await own.send('POST', 'console-code', undefined, {})).status).toBe(200)
})

test('a service key has no sign-in to confirm, nor has a member without a password', async () => {
  const { url, org } = await start()
  const service = createUploadClient(url, (await org.issueKey()).secret)
  const nobody = createUploadClient(url, await org.keyOf(await org.addMember('Dan')))
  const messages = [service, nobody].map(
    async (one) => (await one.send('POST', 'console-code', undefined, {})).body.error,
  )
  expect(await Promise.all(messages)).toEqual([
    { code: 'invalid', message: 'a service key has no sign-in; its sessions are read with the key alone' },
    { code: 'invalid', message: 'there is no password yet; sign in to the console first' },
  ])
})

async function accountOf({ store }: Awaited<ReturnType<typeof startConsole>>['service']) {
  const [account] = await store.control.list('accounts', {})
  if (account === undefined) throw new Error('no account')
  return account
}
