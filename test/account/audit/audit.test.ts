import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { recordEventAlone } from '../../../src/account/audit/audit.ts'
import { authenticate } from '../../../src/account/auth/authenticate.ts'
import { eraseOld } from '../../../src/account/upkeep.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'
import { commandsBeside } from '../../command-line.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest, isOnPostgres } from '../../stored-data.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type Line = {
  at: string
  actor: string
  who: string
  act: string
  target: string
  origin: string
  outcome: string
  details: object
}

async function startAudited() {
  const running = await startService()
  const commands = commandsBeside(running.service)
  const audit = (...options: string[]) => commands.json<Line[]>('audit', ...options)
  return { ...running, ...commands, audit }
}

test('has a line for every act of the operator, in the same transaction as the change', async () => {
  const { json, audit, key } = await startAudited()
  await json('account', 'add', 'Mill')
  await json('account', 'rename', 'Mill', 'Water Mill')
  const of = ['--account', 'Water Mill']
  await json('department', 'add', 'Stones', ...of)
  await json('department', 'rename', 'Stones', 'Stone', ...of)
  await json('member', 'add', ...of, '--email', 'o@example.org', '--name', 'O', '--role', 'owner')
  await json('member', 'add', ...of, '--email', 'p@example.org', '--name', 'P', '--department', 'Stone')
  await json('member', 'move', 'p@example.org', '--none')
  await json('member', 'role', 'p@example.org', 'admin')
  await json('member', 'remove', 'p@example.org')
  await json('department', 'remove', 'Stone', ...of)
  await json('member', 'invite', ...of, '--email', 'q@example.org')
  await json('member', 'uninvite', ...of, 'q@example.org')
  await json('subscription', 'set', ...of, '--plan', 'team', '--until', '2027-01-31')
  await json('subscription', 'end', ...of)
  await json('subscription', 'none', ...of)
  await json('account', 'limits', 'Water Mill', '--records', '5')
  await json('account', 'suspend', 'Water Mill')
  await json('account', 'resume', 'Water Mill')
  const lines = await audit(...of)
  expect(lines.map(({ act }) => act).reverse()).toEqual([
    'account.add',
    'account.rename',
    'department.add',
    'department.rename',
    'member.add',
    'member.add',
    'member.move',
    'member.role',
    'member.remove',
    'department.remove',
    'member.invite',
    'member.uninvite',
    'subscription.set',
    'subscription.end',
    'subscription.none',
    'account.limits',
    'account.suspend',
    'account.resume',
  ])
  for (const line of lines)
    expect(line).toMatchObject({
      actor: 'operator',
      origin: 'command line',
      outcome: 'done',
      at: '2026-01-15T12:00:00.000Z',
    })
  await json('key', 'rotate', key.id)
  await json('key', 'revoke', key.id)
  expect((await audit('--account', 'default')).map(({ act }) => act)).toEqual([
    'key.revoke',
    'key.rotate',
    'account.add',
  ])
})

test('has no line for an act that was refused half-way', async () => {
  const { refusal, audit } = await startAudited()
  const before = await audit()
  await refusal('member', 'remove', 'owner@localhost')
  await refusal('account', 'add', 'default')
  expect(await audit()).toEqual(before)
})

test('never holds a key', async () => {
  const { json, memsvc, post } = await startAudited()
  const { key } = await json<{ key: string }>('key', 'issue', '--project', 'default')
  await post(list, { authorization: `Bearer ${key.slice(0, -1)}` })
  const { out } = await memsvc('audit', '--json')
  expect(out).toContain('key.issue')
  expect(out).toContain('sign-in.fail')
  expect(out).not.toContain(key.slice(4, 12))
})

test('tells what a caller did, by name, from where', async () => {
  const { service, secret, owner, audit } = await startAudited()
  const caller = await authenticate(service, `Bearer ${secret}`, () => '192.0.2.7')
  await recordEventAlone(
    service,
    { kind: 'caller', caller },
    { act: 'record.reject', outcome: 'refused', details: { reason: 'example', hash: 'ab12' } },
  )
  expect(await audit('--act', 'record.reject')).toMatchObject([
    {
      actor: `member:${owner.id}`,
      who: 'Owner',
      origin: '192.0.2.7',
      outcome: 'refused',
      details: { key: caller.keyId, reason: 'example', hash: 'ab12' },
    },
  ])
})

test('has a line for a failed sign-in, with the address, and the account where the key was once one', async () => {
  const { post, json, key, secret, audit, account } = await startAudited()
  await json('key', 'revoke', key.id)
  expect((await post(list)).status).toBe(401)
  expect(await audit('--act', 'sign-in.fail')).toMatchObject([
    {
      actor: 'unknown',
      target: key.id,
      account_id: account.id,
      origin: '127.0.0.1',
      outcome: 'refused',
      details: { credential: 'key', held_back: 0 },
    },
  ])
  expect(JSON.stringify(await audit())).not.toContain(secret.slice(4, 12))
})

test('names who stands behind a proxy on a private address, as the proxy says it last', async () => {
  const { post, audit } = await startAudited()
  await post(list, { authorization: 'Bearer svc_wrong', 'x-forwarded-for': '198.51.100.1, 203.0.113.7' })
  expect(await audit('--act', 'sign-in.fail')).toMatchObject([{ origin: '203.0.113.7' }])
})

test('has no line for a request without a credential', async () => {
  const { post, audit } = await startAudited()
  expect((await post(list, { authorization: undefined })).status).toBe(401)
  expect(await audit('--act', 'sign-in.fail')).toEqual([])
})

test('writes at most one line in ten minutes of an address that keeps trying, and counts the rest', async () => {
  const { post, audit, pass } = await startAudited()
  for (let i = 0; i < 20; i++) await post(list, { authorization: 'Bearer svc_wrong' })
  expect(await audit('--act', 'sign-in.fail')).toMatchObject([{ details: { held_back: 0 } }])
  pass(10 * MINUTE_MS)
  await post(list, { authorization: 'Bearer svc_wrong' })
  expect(await audit('--act', 'sign-in.fail')).toMatchObject([
    { details: { held_back: 19 } },
    { details: { held_back: 0 } },
  ])
})

embeddedTest('a trigger of the file')('lets nobody change a line', async () => {
  const { service } = await startAudited()
  const file = new Database(`${service.config.dataDir}/control.db`)
  expect(() => file.run("update audit set actor = 'nobody'")).toThrow('the audit log is append only')
  file.close()
})

test.skipIf(!isOnPostgres)('lets nobody change a line in a database', async () => {
  const { service } = await startAudited()
  await using client = new SQL({ url: service.config.databaseUrl ?? '', max: 1 })
  expect(await rejectionOf(client`update audit set actor = 'nobody'`)).toBe('entries of the audit log are not changed')
})

test('erases lines older than SVC_AUDIT_DAYS, and no others', async () => {
  const { service, pass, audit, json } = await startAudited()
  pass(DAY_MS)
  await json('account', 'add', 'Mill')
  pass(399 * DAY_MS)
  await eraseOld(service, service.clock.now(), () => false)
  expect(await audit()).toHaveLength(2)
  pass(1)
  await eraseOld(service, service.clock.now(), () => false)
  expect(await audit()).toMatchObject([{ act: 'account.add', details: { name: 'Mill' } }])
})

test('shows the newest 50 lines unless asked for another number', async () => {
  const { service, secret, audit } = await startAudited()
  const actor = { kind: 'caller' as const, caller: await authenticate(service, `Bearer ${secret}`) }
  for (let at = 0; at < 51; at++)
    await recordEventAlone(service, actor, { act: 'record.reject', details: { reason: `${at}` } })
  const shown = await audit()
  expect(shown).toHaveLength(50)
  expect([shown.at(0), shown.at(-1)]).toMatchObject([{ details: { reason: '50' } }, { details: { reason: '1' } }])
})

test('shows the newest lines first, and as many as asked for', async () => {
  const { json, audit, memsvc, refusal } = await startAudited()
  for (const name of ['a', 'b', 'c']) await json('account', 'add', name)
  expect((await audit('--limit', '2')).map(({ details }) => details)).toMatchObject([{ name: 'c' }, { name: 'b' }])
  const { out } = await memsvc('audit', '--limit', '1')
  expect(out.split('\n')[0]).toMatch(/^AT +WHO +ACT +TARGET +FROM +OUTCOME +DETAILS$/)
  expect(out).toContain('name=c plan=self-hosted')
  expect(await memsvc('audit', '--limit', '0')).toMatchObject({
    status: 2,
    err: expect.stringContaining('a whole number from 1 to 100000'),
  })
  expect(await refusal('audit', '--account', 'nobody')).toBe("no account 'nobody'")
})

test('has a line for what a caller forgets, one record or those of a source', async () => {
  const { call, audit, key } = await startAudited()
  const { structured = {} } = await call('remember', { content: 'the mill stands still', source_id: 'log' })
  await call('remember', { content: 'the mill turns', source_id: 'log' })
  const { id } = structured.result as { id: string }
  await call('forget', { id })
  await call('forget', { source_id: 'log' })
  expect(await call('forget', { id })).toMatchObject({ isError: true })
  expect(await audit('--act', 'record.forget')).toMatchObject([
    { target: 'log', outcome: 'done', details: { key: key.id, forgotten: 1 } },
    { target: id, outcome: 'done', details: { key: key.id, forgotten: 1 } },
  ])
})

embeddedTest('writes a trigger into the file')(
  'what was done in a project stands where its line cannot be written, and the log has the line',
  async () => {
    const { call, logged, service } = await startAudited()
    const { structured = {} } = await call('remember', { content: 'the mill stands still' })
    const { id } = structured.result as { id: string }
    const control = new Database(join(service.config.dataDir, 'control.db'))
    control.run("create trigger no_more before insert on audit begin select raise(abort, 'no more lines'); end")
    control.close()
    expect(await call('forget', { id })).toMatchObject({ isError: false })
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'an audit line was not written', act: 'record.forget', target: id },
    ])
  },
)
