import { expect, test } from 'bun:test'
import { toAuditSource } from '../../../src/account/auth/actor.ts'
import { authenticate } from '../../../src/account/auth/authenticate.ts'
import { writeUses } from '../../../src/account/upkeep.ts'
import { HOUR_MS } from '../../../src/clock.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest } from '../../stored-data.ts'
import { waitUntil } from '../../wait-until.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

type Issued = { key: string; id: string; shown: string }

async function startKeyed() {
  const running = await startService()
  const commands = commandsBeside(running.service)
  const issue = (...options: string[]) => commands.json<Issued>('key', 'issue', '--project', 'default', ...options)
  const statusOf = async (secret: string) => (await running.as(secret).post(list)).status
  const listed = () => commands.json<Record<string, unknown>[]>('key', 'list', '--project', 'default')
  return { ...running, ...commands, issue, statusOf, listed }
}

test('lists keys without the key: its first characters, label, holder, state and times', async () => {
  const { issue, listed, memsvc } = await startKeyed()
  const { key } = await issue(
    '--member',
    'owner@localhost',
    '--label',
    'laptop',
    '--expires',
    '2026-02-01',
    '--underscored',
  )
  const [, second] = await listed()
  expect(second).toMatchObject({
    shown: key.slice(4, 12),
    label: 'laptop',
    member: 'owner@localhost',
    tool_names: 'underscored',
    state: 'active',
    created_at: '2026-01-15T12:00:00.000Z',
    expires_at: '2026-02-01T00:00:00.000Z',
    last_used_at: null,
  })
  const { out } = await memsvc('key', 'list', '--project', 'default')
  expect(out).not.toContain(key.slice(0, 20))
  expect(out).toContain(key.slice(4, 12))
})

test.each([
  ['claude-code', 'dotted', /^claude mcp add .*Bearer svc_/m],
  ['continue', 'underscored', /^mcpServers:\n {2}- name: memsvc$/m],
  ['other', 'underscored', undefined],
])('names tools of integrations as %s takes them: %s, and prints what to paste', async (client, toolNames, pasted) => {
  const { issue, memsvc } = await startKeyed()
  expect(await issue('--client', client)).toMatchObject({ tool_names: toolNames })
  const { out } = await memsvc('key', 'issue', '--project', 'default', '--client', client)
  if (pasted === undefined) expect(out.trim().split('\n')).toHaveLength(3)
  else expect(out).toMatch(pasted)
})

test('knows no client of another name', async () => {
  const { memsvc } = await startKeyed()
  const { status, err } = await memsvc('key', 'issue', '--project', 'default', '--client', 'netscape')
  expect([status, err]).toEqual([2, expect.stringContaining('Allowed choices are claude-code, codex')])
})

test('takes a key no longer from the moment it expires', async () => {
  const { issue, statusOf, pass } = await startKeyed()
  const { key } = await issue('--expires', '2026-01-15T13:00:00Z')
  pass(HOUR_MS - 1)
  expect(await statusOf(key)).toBe(200)
  pass(1)
  expect(await statusOf(key)).toBe(401)
})

test('takes a key no longer from the moment it is revoked, by this process or another', async () => {
  const { issue, statusOf, json } = await startKeyed()
  const { key, id } = await issue()
  expect(await statusOf(key)).toBe(200)
  await json('key', 'revoke', id)
  expect(await statusOf(key)).toBe(401)
})

test.each(['revoked', 'expired'])(
  'refuses the call whose key is %s while its body is still on the way',
  async (end) => {
    const { service, json, url, issue, pass, statusOf, pendingRequests } = await startKeyed()
    const { control } = service.store
    const key = await issue('--expires', '2026-01-15T13:00:00Z')
    const ended = Promise.withResolvers<void>()
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,'))
        await ended.promise
        controller.enqueue(new TextEncoder().encode('"method":"tools/list"}'))
        controller.close()
      },
    })
    const headers = {
      authorization: `Bearer ${key.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const posted = fetch(`${url}/mcp`, { method: 'POST', headers, body })
    await waitUntil('the call is on its way', () => pendingRequests() === 1)
    // A later call with the key was let in, so the first was too.
    expect(await statusOf(key.key)).toBe(200)
    const before = await control.version()
    if (end === 'expired') pass(HOUR_MS)
    else {
      await json('key', 'revoke', key.id)
      await waitUntil('the service has heard of it', async () => (await control.version()) !== before)
    }
    ended.resolve()
    expect((await posted).status).toBe(401)
  },
)

test('takes the keys of a removed member no longer, and says former member of what they saved', async () => {
  const { issue, as, statusOf, json, call } = await startKeyed()
  await json('member', 'add', '--email', 'ann@example.org', '--name', 'Ann')
  const { key } = await issue('--member', 'ann@example.org')
  await as(key).call('remember', { content: 'the well is deep' })
  const authors = async () => (await call('search', { query: 'well' })).structured?.result
  expect(await authors()).toMatchObject([{ author: 'Ann' }])
  await json('member', 'remove', 'ann@example.org')
  expect(await statusOf(key)).toBe(401)
  expect(await authors()).toMatchObject([{ content: 'the well is deep', author: 'former member' }])
})

test('rotates: the new key works at once, the old one for the overlap and not a moment longer', async () => {
  const { issue, statusOf, json, pass } = await startKeyed()
  const old = await issue('--member', 'owner@localhost', '--label', 'laptop', '--underscored')
  const made = await json<Issued & { replaces: string }>('key', 'rotate', old.shown, '--overlap', '2h')
  expect(made).toMatchObject({
    replaces: old.id,
    label: 'laptop',
    member: 'owner@localhost',
    tool_names: 'underscored',
    expires_at: null,
  })
  pass(2 * HOUR_MS - 1)
  expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([200, 200])
  pass(1)
  expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([401, 200])
})

test('rotates without an overlap', async () => {
  const { issue, statusOf, json } = await startKeyed()
  const old = await issue()
  const made = await json<Issued>('key', 'rotate', old.id, '--overlap', '0')
  expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([401, 200])
})

test('rotates a key that expires into one for as long again, and never lengthens the old one’s life', async () => {
  const { issue, json, listed } = await startKeyed()
  const old = await issue('--expires', '2026-01-15T14:00:00Z')
  const made = await json('key', 'rotate', old.id, '--overlap', '7d')
  expect(made.expires_at).toBe('2026-01-15T14:00:00.000Z')
  expect((await listed()).find(({ id }) => id === old.id)).toMatchObject({ expires_at: '2026-01-15T14:00:00.000Z' })
})

test('refuses to rotate a dead key, and an overlap that is none, and changes nothing', async () => {
  const { issue, json, refusal, listed } = await startKeyed()
  const { id, shown } = await issue()
  expect(await refusal('key', 'rotate', id, '--overlap', 'soon')).toBe(
    "--overlap must be a time span such as 30m, 24h or 7d, not 'soon'",
  )
  expect(await refusal('key', 'rotate', id, '--overlap', '91d')).toBe('the overlap must be at most 90 days')
  await json('key', 'revoke', id)
  const before = await listed()
  expect(await refusal('key', 'rotate', id)).toBe(`key '${shown}' is no longer valid; issue a new one`)
  expect(await listed()).toEqual(before)
})

test('refuses a key that would be expired, and one for a member of another account', async () => {
  const { json, refusal, listed } = await startKeyed()
  await json('account', 'add', 'Other')
  await json('member', 'add', '--account', 'Other', '--email', 'eve@example.org', '--name', 'Eve')
  const before = await listed()
  const issue = ['key', 'issue', '--project', 'default']
  expect(await refusal(...issue, '--member', 'eve@example.org')).toBe("no member 'eve@example.org'")
  expect(await refusal(...issue, '--expires', '2026-01-15')).toBe('the expiry of a key must be in the future')
  expect(await refusal(...issue, '--expires', '2026-02-30')).toStartWith('--expires must be an ISO 8601 date')
  expect(await refusal(...issue, '--member', 'nobody@example.org')).toBe("no member 'nobody@example.org'")
  expect(await listed()).toEqual(before)
})

test('knows when a key was last used, without a write for each call', async () => {
  const { call, service, listed, pass, key } = await startKeyed()
  await call('search', { query: 'x' })
  pass(5_000)
  await call('search', { query: 'x' })
  expect(await listed()).toMatchObject([{ last_used_at: null }])
  await writeUses(service)
  expect(await listed()).toMatchObject([{ last_used_at: '2026-01-15T12:00:05.000Z' }])
  await service.store.control.write((tx) => tx.saveUses('keys', [{ id: key.id, at: 0 }]))
  expect(await listed()).toMatchObject([{ last_used_at: '2026-01-15T12:00:05.000Z' }])
})

embeddedTest('keys are kept in memory there')(
  'keeps what it knows of keys through audit lines and uses, and through nothing else',
  async () => {
    const { service, secret, key, account } = await startKeyed()
    const holder = () => service.store.control.findKeyHolder({ digest: key.digest })
    const kept = await holder()
    const caller = await authenticate(service, `Bearer ${secret}`)
    await service.store.control.write(async (tx) => {
      const line = { at: 0, accountId: null, projectId: null, target: null, outcome: 'done' as const, details: {} }
      await tx.insertAudit({ ...line, ...toAuditSource({ kind: 'caller', caller }), act: 'record.restore' })
      await tx.saveUses('keys', [{ id: key.id, at: 1 }])
    })
    expect(await holder()).toBe(kept)
    await service.store.control.write((tx) => tx.update('accounts', { id: account.id }, { name: 'renamed' }))
    expect(await holder()).toMatchObject({ account: { name: 'renamed' }, key: { lastUsedAt: 1 } })
  },
)

test('a key is revoked by the key itself, which is never printed', async () => {
  const { issue, json, memsvc, listed } = await startKeyed()
  const { key, id, shown } = await issue()
  for (const wrong of [key.slice(0, -1), `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`]) {
    const { status, out, err } = await memsvc('key', 'revoke', wrong)
    expect({ status, out, err }).toEqual({
      status: 1,
      out: '',
      err: 'memsvc: this key is cut short or mistyped; give its id, or the characters that lists show\n',
    })
  }
  expect(await json('key', 'revoke', key)).toEqual({ id, shown, revoked: true })
  expect((await listed()).find((one) => one.id === id)).toMatchObject({ state: 'revoked' })
  for (const words of [
    ['key', 'list', '--project', key],
    ['record', key],
    ['key', 'revoke', '--project', key],
  ]) {
    const { out, err } = await memsvc(...words)
    expect(out + err).not.toContain(key.slice(4, 20))
  }
})
