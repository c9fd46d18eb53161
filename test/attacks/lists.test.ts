import { expect, test } from 'bun:test'
import { toAuditEntry } from '../../src/account/audit/audit.ts'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { TOKEN_PREFIX } from '../../src/account/auth/authenticate.ts'
import { countAccounts } from '../../src/account/organizations/all-accounts.ts'
import { acceptInvitation, inviteMember } from '../../src/account/organizations/invitation.ts'
import { addMember } from '../../src/account/organizations/member.ts'
import { removeProject, renameProject } from '../../src/account/organizations/project.ts'
import { DAY_MS } from '../../src/clock.ts'
import { countTurns } from '../count-turns.ts'
import { startConsole } from '../http/console/browse.ts'
import { connectTo } from '../http/oauth/flow.ts'
import { BOUND_MS, longestTurn } from '../longest-turn.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'

/** Does an act as often as it is let, and the message of the refusal of one more. */
async function fill(count: number, act: (at: number) => Promise<unknown>): Promise<string> {
  await Promise.all(Array.from({ length: count }, (_, at) => act(at)))
  return rejectionOf(act(count))
}

test('what an account has of departments, invitations and integrations is bounded, since each is read whole; invitations that expired make room', async () => {
  const { service, org, account, pass } = await startService()
  const invite = (at: number) =>
    inviteMember(service, COMMAND_LINE, { account, email: `${at}@example.org`, role: 'member', validityMs: DAY_MS })
  const integrate = (at: number) =>
    org.addIntegration({ slug: `hub-${at}`, name: 'Hub', url: 'http://127.0.0.1:9/mcp' })
  expect(await fill(500, (at) => org.addDepartment(`Stones ${at}`))).toContain('an account has at most 500 departments')
  expect(await fill(500, invite)).toContain('an account has at most 500 open invitations')
  pass(DAY_MS)
  await invite(500)
  expect(await service.store.control.list('invitations', {})).toMatchObject([{ email: '500@example.org' }])
  expect(await fill(100, integrate)).toContain('an account has at most 100 integrations')
})

test('an account has at most 2 000 members, those who were removed included, by whatever way they come', async () => {
  const { service, account, owner } = await startService()
  const { control } = service.store
  const members = Array.from({ length: 1_999 }, (_, at) => ({
    ...owner,
    id: `m${at}`,
    email: `${at}@example.org`,
    removedAt: at % 2 === 0 ? 1 : null,
  }))
  const invitation = { account, email: 'late@example.org', role: 'member', validityMs: DAY_MS } as const
  const { token } = await inviteMember(service, COMMAND_LINE, invitation)
  await control.write(async (tx) => {
    for (const member of members) await tx.insert('members', member)
  })
  const full = 'an account has at most 2000 members, those who were removed included'
  const late = { account, email: 'later@example.org', name: 'Later', role: 'member' } as const
  expect(await rejectionOf(addMember(service, COMMAND_LINE, late))).toBe(full)
  expect(await rejectionOf(inviteMember(service, COMMAND_LINE, { ...invitation, email: late.email }))).toBe(full)
  const joining = acceptInvitation(service, {
    token,
    name: 'Late',
    password: 'a long enough password',
    clientIp: '127.0.0.1',
  })
  expect(await rejectionOf(joining)).toBe(full)
})

test('an account has at most 5 000 projects, which every page of its console reads', async () => {
  const { service, org, project } = await startService()
  await service.store.control.write(async (tx) => {
    for (let at = 0; at < 4_998; at++) await tx.insert('projects', { ...project, id: `p${at}`, name: `Project ${at}` })
  })
  const last = await org.addProject('the last')
  expect(await rejectionOf(org.addProject('one more'))).toBe('an account has at most 5000 projects; remove some first')
  expect(await renameProject(service, COMMAND_LINE, { project: last, name: 'renamed' })).toMatchObject({
    name: 'renamed',
  })
  await removeProject(service, COMMAND_LINE, last)
  await org.addProject('one more')
})

test('the people of large accounts are not counted in one turn', async () => {
  const { service, account, owner } = await startService()
  const accounts = Array.from({ length: 40 }, (_, nth) => ({ ...account, id: `a${nth}`, name: `Account ${nth}` }))
  await service.store.control.write(async (tx) => {
    for (const { id, ...rest } of accounts) {
      await tx.insert('accounts', { id, ...rest })
      for (let at = 0; at < 1_000; at++)
        await tx.insert('members', { ...owner, accountId: id, id: `${id} ${at}`, email: `${at}@example.org` })
    }
  })
  const stop = countTurns()
  expect((await countAccounts(service, accounts)).map(({ members }) => members)).toEqual(Array(40).fill(1_000))
  expect(stop()).toBeGreaterThan(1)
})

test('a key makes at most 100 connections, and revoked ones make room', async () => {
  const { service, key, url, secret } = await startService()
  const { control } = service.store
  const assistant = connectTo(url)
  await assistant.connect(secret)
  const [made] = await control.listConnections({})
  if (made === undefined) throw new Error('nothing was connected')
  await control.write(async (tx) => {
    for (let at = 1; at < 100; at++)
      await tx.insert('connections', {
        ...made.connection,
        id: `c${at}`,
        tokenDigest: `t${at}`,
        codeDigest: `d${at}`,
        keyId: key.id,
      })
  })
  const connect = async () => (await assistant.connect(secret)).token
  expect(await connect()).not.toStartWith(TOKEN_PREFIX)
  await control.write((tx) => tx.update('connections', { id: 'c7' }, { revokedAt: service.clock.now() }))
  expect(await connect()).toStartWith(TOKEN_PREFIX)
  expect(await control.count('connections', { keyId: key.id })).toBe(100)
})

test('ten downloads of a long audit log at once hold up nobody', async () => {
  const { service, account, project, get } = await startConsole()
  await service.store.control.write(async (tx) => {
    for (let at = 0; at < 1_000; at++) {
      const about = {
        accountId: account.id,
        projectId: project.id,
        target: crypto.randomUUID(),
        details: { key: crypto.randomUUID() },
      }
      await tx.insertAudit(toAuditEntry(at, COMMAND_LINE, { act: 'record.forget', ...about }))
    }
  })
  const download = () => Promise.all(Array.from({ length: 10 }, () => get('/console/audit.csv')))
  expect(await longestTurn(download)).toBeLessThan(BOUND_MS)
  const [{ text } = { text: '' }] = await download()
  expect(text.split('\r\n').length).toBeGreaterThan(1_000)
})
