import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { dropSubscription, endSubscription } from '../../src/account/subscription/subscription.ts'
import { DAY_MS } from '../../src/clock.ts'
import { purgeHistories } from '../../src/history/erase/purge.ts'
import { listSessions } from '../../src/history/read/list-sessions.ts'
import { exportSession } from '../../src/history/read/session.ts'
import { putSegment } from '../../src/history/upload/put-segment.ts'
import { sha256Hex } from '../../src/secrets/secret.ts'
import type { HistoryStore } from '../../src/store/history-verbs.ts'
import { connectTo } from '../http/oauth/flow.ts'
import { filesHold, startHistories as start } from './start-histories.ts'
import { beginAnew, claudeLine, createUploadClient, FIRST_CHAIN, nextChain } from './upload-client.ts'

test('a source begins at its beginning, and asking again changes nothing', async () => {
  const { client } = await start()
  const first = await client.ask([{ session_id: 'a' }, { session_id: 'b' }])
  expect(first.status).toBe(200)
  expect(first.body.heads).toMatchObject([
    { chain: FIRST_CHAIN, lines: 0 },
    { chain: FIRST_CHAIN, lines: 0 },
  ])
  expect(first.body.limits).toEqual({
    max_segment_bytes: 524_288,
    max_segment_lines: 1_024,
    max_request_bytes: 1_572_864,
    retention_days: 365,
    assistants: ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'],
  })
  expect((await client.ask([{ session_id: 'a' }, { session_id: 'b' }])).body.heads).toEqual(first.body.heads)
})

test('segments follow each other, and the lines are read in their order', async () => {
  const { client, textsOf, sessions } = await start()
  const head = await client.head()
  const lines = [claudeLine('u1', 'first'), claudeLine('u2', 'second')]
  const taken = await client.put(head, lines)
  expect(taken.status).toBe(201)
  const behind = { ...head, chain: nextChain(FIRST_CHAIN, lines), isFirst: false }
  expect(taken.body).toMatchObject({ chain: behind.chain, lines: 2 })
  expect(await client.head()).toEqual(behind)
  await client.append(behind, [claudeLine('u3', 'third', { at: '2026-01-14T11:00:00.000Z' })])
  expect(await textsOf(head.source_id)).toEqual(['first', 'second', 'third'])
  expect(await sessions()).toMatchObject([
    {
      id: head.source_id,
      session_id: 'one',
      title: 'first',
      lines: 3,
      first_at: '2026-01-14T10:00:00.000Z',
      last_at: '2026-01-14T11:00:00.000Z',
      cwd: '/home/ada/app',
    },
  ])
})

test('the same segment again gives the same answer, also two at once, and its lines are there once', async () => {
  const { client, textsOf } = await start()
  const head = await client.head()
  const lines = [claudeLine('u1', 'first')]
  const answers = await Promise.all([client.put(head, lines), client.put(head, lines), client.put(head, lines)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  const place = ({ body }: (typeof answers)[number]) => ({ ...body, redacted: undefined })
  expect(answers.map(place)).toEqual(
    answers.map(() => place(answers[0] ?? { status: 0, headers: new Headers(), body: {} })),
  )
  expect(await textsOf(head.source_id)).toEqual(['first'])
})

test('a segment that does not continue its source is refused with what its source has received', async () => {
  const { client } = await start()
  const head = await client.head()
  const behind = await client.append(head, [claudeLine('u1', 'first')])
  const gap = (answer: { status: number; body: Record<string, unknown> }) =>
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'gap' }, chain: behind.chain } })
  gap(await client.put({ ...behind, chain: 'f'.repeat(64) }, [claudeLine('u2', 'forked')]))
  gap(await client.put(head, [claudeLine('u9', 'another first line')]))
  gap(
    await client.put({ ...beginAnew(behind), chain: FIRST_CHAIN }, [
      claudeLine('u2', 'by an agent that knows nothing of it'),
    ]),
  )
})

test('a segment in which no line is left moves its source on', async () => {
  const { client, textsOf } = await start()
  const head = await client.head()
  const behind = await client.append(await client.append(head, [claudeLine('u1', 'first')]), [])
  await client.append(behind, [claudeLine('u2', 'second')])
  expect(await textsOf(head.source_id)).toEqual(['first', 'second'])
})

test('a file that is sent again from its beginning stores the lines once, and what is not in it any more stays', async () => {
  const { client, textsOf, service, projectId } = await start()
  const head = await client.head()
  const lines = ['first', 'second', 'third'].map((text, at) => claudeLine(`u${at}`, text))
  const behind = await client.append(head, lines)
  const before = (await service.store.history(projectId).readHistoryUsage()).bytes
  const anew = await client.append(beginAnew(behind), lines.slice(0, 1))
  expect(await textsOf(head.source_id)).toEqual(['first', 'second', 'third'])
  await client.append(anew, [...lines.slice(1, 2), claudeLine('u9', 'instead')])
  expect(await textsOf(head.source_id)).toEqual(['first', 'second', 'third', 'instead'])
  expect((await service.store.history(projectId).readHistoryUsage()).bytes - before).toBeLessThan(1_024)
})

test('a rewritten line under the same uuid replaces its old text, of which nothing is left after the purge', async () => {
  const { client, textsOf, service } = await start()
  const head = await client.head()
  const password = crypto.randomUUID()
  const rest = ['one', 'two'].map((text) => claudeLine(text, text))
  const behind = await client.append(head, [claudeLine('u1', `the password is ${password}`), ...rest])
  await client.append(beginAnew(behind), [claudeLine('u1', 'no password here'), ...rest])
  const texts = ['no password here', 'one', 'two']
  expect(await textsOf(head.source_id)).toEqual(texts)
  await purgeHistories(service)
  expect([await textsOf(head.source_id), await filesHold(service, password)]).toEqual([texts, false])
})

test('a line is replaced though others were removed and added at once', async () => {
  const { client, textsOf, service } = await start()
  const head = await client.head()
  const behind = await client.append(head, [
    claudeLine('u1', 'the pelican'),
    claudeLine('u2', 'removed'),
    claudeLine('u3', 'kept'),
  ])
  await client.append(beginAnew(behind), [
    claudeLine('u1', 'a bird'),
    claudeLine('u3', 'kept'),
    claudeLine('u4', 'added'),
  ])
  await purgeHistories(service)
  expect(await textsOf(head.source_id)).toEqual(['a bird', 'removed', 'kept', 'added'])
  expect(await filesHold(service, 'pelican')).toBe(false)
})

test('a line without an id is replaced in its place after the last line that has one, also across segments', async () => {
  const { client, read, service } = await start()
  const head = await client.head()
  const notes = ['a', 'b', 'c'].map((text) => JSON.stringify({ note: text }))
  const first = await client.append(head, [claudeLine('u1', 'first'), notes[0] ?? ''])
  const behind = await client.append(first, notes.slice(1))
  const anew = await client.append(beginAnew(behind), [
    claudeLine('u0', 'before'),
    claudeLine('u1', 'first'),
    notes[0] ?? '',
  ])
  await client.append(anew, [JSON.stringify({ note: 'pelican' }), notes[2] ?? ''])
  const texts = (await read(head.source_id, true)).map(({ text }) => text)
  expect(texts).toEqual(['first', '{"note":"a"}', '{"note":"pelican"}', '{"note":"c"}', 'before'])
  expect(await filesHold(service, 'pelican')).toBe(true)
})

test.each([
  ['the original', ['original', 'fork']],
  ['the fork', ['fork', 'original']],
])("after a fork the original's export does not contain the fork's lines, if %s arrives first", async (_, order) => {
  const running = await start()
  const { actor, service, projectId } = running
  const toLines = (sessionId: string) =>
    ['first', 'second'].map((text, at) => claudeLine(`u${at}`, text, { sessionId, cwd: `/${sessionId}` }))
  const stored = new Map<string, string>()
  for (const session of order) {
    const head = await running.client.append(await running.client.head({ session_id: session }), toLines(session))
    stored.set(session, head.source_id)
  }
  for (const [session, id] of stored) {
    const { pieces } = await exportSession(service, actor, { projectId, id })
    expect((await Array.fromAsync(pieces())).join('').trimEnd().split('\n')).toEqual(toLines(session))
  }
})

test('lines that two sessions have in common stand in both', async () => {
  const { client, textsOf } = await start()
  const lines = Array.from({ length: 300 }, (_, at) => claudeLine(`u${at}`, `line ${at} ${crypto.randomUUID()}`))
  const [one, two] = [await client.head({ session_id: 'one' }), await client.head({ session_id: 'two' })]
  await client.append(one, lines)
  await client.append(two, [...lines, claudeLine('other', 'only here')])
  expect((await textsOf(two.source_id)).at(-1)).toBe('only here')
  expect((await textsOf(two.source_id)).slice(0, 300)).toEqual(await textsOf(one.source_id))
})

test('lines of any kind are kept as they are: unknown records, text that is no JSON, lines without an id', async () => {
  const { client, read } = await start()
  const head = await client.head()
  const odd = [
    '{"type":"from the future","x":{"y":[1,2.50,1e400]}}',
    'not json at all {',
    '[]',
    'null',
    '{"__proto__":{"a":1}}',
    '"ü 💾"',
  ]
  await client.append(head, [...odd, ...odd])
  expect(await read(head.source_id)).toEqual([])
  expect((await read(head.source_id, true)).map(({ role, text }) => `${role} ${text}`)).toEqual(
    [...odd, ...odd].map((line) => `raw ${line}`),
  )
})

test('credentials that the agent left in are taken out, and are nowhere in the files', async () => {
  const { client, textsOf, service, secret } = await start()
  const head = await client.head()
  const token = `ghp_${'aB3dE5gH7j'.repeat(3)}aB3dE5`
  const { body } = await client.put(head, [claudeLine('u1', `my keys: ${secret} and ${token}`)])
  expect(body.redacted).toBeGreaterThan(0)
  const [text = ''] = await textsOf(head.source_id)
  expect(text).toContain('[REDACTED:')
  expect(text).not.toContain(secret)
  expect(text).not.toContain(token)
  for (const value of [secret, token]) expect(await filesHold(service, value)).toBe(false)
  expect(await filesHold(service, 'REDACTED')).toBe(true)
})

test('credentials in folder, branch and version are taken out too, and are nowhere in the files', async () => {
  const { client, sessions, service } = await start()
  const token = `ghp_${'aB3dE5gH7j'.repeat(3)}aB3dE5`
  const facts = { cwd: `/home/ada/${token}/app`, git_branch: `fix/${token}`, app_version: `1.0+${token}` }
  const head = await client.head(facts)
  await client.append(head, [claudeLine('u1', 'text')])
  const masked = {
    cwd: '/home/ada/[REDACTED:github]/app',
    git_branch: 'fix/[REDACTED:github]',
    app_version: '1.0+[REDACTED:github]',
  }
  expect(await sessions()).toMatchObject([masked])
  expect(await filesHold(service, token)).toBe(false)
  expect((await client.head(facts)).source_id).toBe(head.source_id)
})

test('what is not as documented is refused before anything is stored', async () => {
  const { client, sessions } = await start()
  const head = await client.head()
  const lines = [claudeLine('u1', 'first')]
  const refusal = async (wish: Parameters<typeof client.put>[2], at = head) => {
    const { status, body } = await client.put(at, lines, wish)
    return `${status} ${(body.error as { code: string }).code}`
  }
  expect(await refusal({ digest: Buffer.alloc(32).toString('base64') })).toBe('400 invalid')
  expect(await refusal({ headers: { 'content-digest': 'md5=:abc:' } })).toBe('400 invalid')
  expect(await refusal({ headers: { 'content-encoding': 'gzip' } })).toBe('400 invalid')
  expect(await refusal({ headers: { 'x-memsvc-chain': '' } })).toBe('400 invalid')
  expect(await refusal({ body: Buffer.from('no zstd') })).toBe('400 invalid')
  expect(await refusal({ body: Bun.zstdCompressSync(lines.join('\n')).subarray(0, 20) })).toBe('400 invalid')
  expect(await refusal({}, { ...head, source_id: crypto.randomUUID() })).toBe('404 unknown_source')
  expect(await refusal({}, { ...head, source_id: '..%2f..%2fcontrol.db' })).toBe('404 unknown_source')
  expect((await client.ask([{ assistant: 'notepad' }])).status).toBe(415)
  expect((await client.ask([{ source_key: 'x'.repeat(513) }])).status).toBe(400)
  expect((await client.ask([{ source_key: 'a\nb' }])).status).toBe(400)
  expect((await client.ask([{ source_key: '\ud800' }])).status).toBe(400)
  expect((await client.ask(Array.from({ length: 501 }, (_, at) => ({ session_id: `s${at}` })))).status).toBe(400)
  expect((await client.send('POST', 'heads', '{', {})).status).toBe(400)
  expect((await client.send('POST', 'heads', `{"x":"${'x'.repeat(2 ** 20)}"}`, {})).status).toBe(413)
  expect(await sessions()).toEqual([])
})

test('a body that inflates to much, or asks for much memory to do so, is refused', async () => {
  const { client } = await start()
  const head = await client.head()
  const bomb = Bun.zstdCompressSync(new Uint8Array(64 * 2 ** 20))
  expect(bomb.length).toBeLessThan(10_000)
  expect(await client.put(head, [], { body: bomb })).toMatchObject({
    status: 413,
    body: { error: { code: 'too_large' } },
  })
  expect(await client.put(head, [], { body: new Uint8Array(2_000_000) })).toMatchObject({ status: 413 })
  // A frame that begins with a window of 128 MiB.
  const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00])
  expect(await client.put(head, [], { body: wide })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid' } },
  })
  const lines = Array.from({ length: 1_025 }, () => '1')
  expect(await client.put(head, lines)).toMatchObject({ status: 413, body: { error: { code: 'too_large' } } })
})

test('a line of 1 MiB is kept whole, and a longer one refused', async () => {
  const { client, read } = await start()
  const head = await client.head()
  const text = 'word '.repeat(200_000)
  await client.append(head, [claudeLine('u1', text)])
  expect((await read(head.source_id)).map(({ text: shown, cut }) => [shown, cut])).toEqual([
    ['A line of 977 KiB.', true],
  ])
  const longer = claudeLine('u2', 'word '.repeat(300_000))
  expect(await client.put(await client.head(), [longer])).toMatchObject({
    status: 413,
    body: { error: { code: 'too_large' } },
  })
})

test('OAuth tokens, wrong keys and foreign origins get nowhere', async () => {
  const { url, client, secret } = await start()
  const { token } = await connectTo(url).connect(secret)
  expect(await createUploadClient(url, token).ask([])).toMatchObject({
    status: 403,
    body: { error: { code: 'hosted_connection' } },
  })
  expect((await createUploadClient(url, `svc_${'x'.repeat(36)}`).ask([])).status).toBe(401)
  expect((await client.send('POST', 'heads', '{}', { origin: 'https://evil.example' })).status).toBe(403)
})

test('the subscription decides whether uploads are taken; erasing is always possible', async () => {
  const { client, service, account, pass, read, projectId } = await start()
  const head = await client.head()
  const behind = await client.append(head, [claudeLine('u1', 'first')])
  await endSubscription(service, COMMAND_LINE, { account, at: service.clock.now() - 1 })
  expect(await client.put(behind, ['{}'])).toMatchObject({ status: 403, body: { error: { code: 'read_only' } } })
  expect(await read(head.source_id)).toHaveLength(1)
  pass(15 * DAY_MS)
  expect(await client.ask([{}])).toMatchObject({ status: 402, body: { error: { code: 'subscription' } } })
  await dropSubscription(service, COMMAND_LINE, account)
  expect(await client.put(behind, ['{}'])).toMatchObject({ status: 402, body: { error: { code: 'subscription' } } })
  expect(await client.forget(head.source_id)).toMatchObject({ status: 200, body: { forgotten: true } })
  expect(await service.store.history(projectId).listOwners()).toEqual([])
})

test('the plan bounds what is stored, and what is erased makes room', async () => {
  const { client, service, account } = await start()
  await service.store.control.write((tx) =>
    tx.update('accounts', { id: account.id }, { limits: { historyBytes: 20_000 } }),
  )
  const head = await client.head()
  const lines = (from: number) =>
    Array.from({ length: 100 }, (_, at) => claudeLine(`u${from + at}`, crypto.randomUUID()))
  const first = await client.append(head, lines(0))
  const refused = await client.put(first, lines(100))
  expect(refused).toMatchObject({
    status: 403,
    body: { error: { code: 'quota', message: 'session history limit exceeded (20000 bytes)' } },
  })
  expect(await client.head()).toEqual(first)
  await client.forget(head.source_id)
  const again = await client.head()
  expect(again).toMatchObject({ chain: FIRST_CHAIN })
  await client.append(again, lines(100))
})

test('requests and bytes of uploads have windows of their own, by key', async () => {
  const { client, url, org, call, owner } = await start()
  const { secret } = await org.issueKey({ member: owner })
  const other = createUploadClient(url, secret)
  let last = await client.ask([])
  for (let i = 0; i < 700 && last.status === 200; i++) last = await client.ask([])
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.ask([])).status).toBe(200)
  expect((await call('search', { query: '*' })).isError).toBe(true)
  expect((await call('remember', { content: 'calls are not counted with uploads' })).isError).toBe(false)
})

const nested = (levels: number) => `${'[1,'.repeat(levels)}1${']'.repeat(levels)}`

test.each([
  ['nested deeper than any assistant writes', nested(1_000)],
  ['of more values than are parsed in an instant', `[${Array(50_001).fill(1).join()}]`],
])('a line %s is kept as it is, and not part of the conversation', async (_, extra) => {
  const { client, textsOf, read } = await start()
  const head = await client.head()
  const line = `{"type":"user","uuid":"u1","message":{"content":"hi"},"extra":${extra}}`
  await client.append(head, [line, claudeLine('u2', 'brackets [[[[ and commas ,,,, of a text')])
  expect(await textsOf(head.source_id)).toEqual(['brackets [[[[ and commas ,,,, of a text'])
  expect((await read(head.source_id, true))[0]).toMatchObject({ line: 1, role: 'raw', text: line.slice(0, 8_000) })
})

test('a time far in the future, from a wrong clock, is no time of a session', async () => {
  const { client, sessions } = await start()
  const future = '2999-01-01T00:00:00.000Z'
  const head = await client.head({ first_at: future, last_at: future })
  await client.append(head, [claudeLine('u1', 'now'), claudeLine('u2', 'later', { at: future })])
  expect(await sessions()).toMatchObject([
    { first_at: '2026-01-14T10:00:00.000Z', last_at: '2026-01-14T10:00:00.000Z' },
  ])
})

test('sessions before 1970, from a clock without a time, are listed in pages too', async () => {
  const { client, service, actor, projectId } = await start()
  for (const name of ['a', 'b', 'c']) {
    const head = await client.head({ session_id: name, last_at: '0001-01-01T00:00:00.000Z' })
    await client.append(head, [claudeLine(name, name, { at: '0001-01-01T00:00:00.000Z' })])
  }
  const found: string[] = []
  let before: string | undefined
  for (let pages = 0; pages < 3; pages++) {
    const page = await listSessions(service, actor, { projectId, before, limit: 1 })
    found.push(...page.sessions.map(({ session_id }) => session_id))
    before = page.next
  }
  expect([found.sort(), before]).toEqual([['a', 'b', 'c'], undefined])
})

test('a title that was masked while lines arrive stays masked', async () => {
  const { client, service, actor, projectId } = await start()
  const head = await client.head()
  const { chain } = await client.append(head, [claudeLine('u1', 'the pelican')])
  const store = service.store.history(projectId)
  const write: HistoryStore['write'] = async (act) => {
    await store.write((tx) => tx.updateSource(head.source_id, { title: 'masked' }))
    return store.write(act)
  }
  const body = Buffer.from(claudeLine('u2', 'more'))
  const ctx = { ...service, store: { ...service.store, history: () => ({ ...store, write }) } }
  const sent = { projectId, sourceId: head.source_id, isFirst: false, digest: sha256Hex(body), chain, body }
  expect(await putSegment(ctx, actor, sent)).toMatchObject({ isNew: true, lines: 2 })
  expect(await store.findSource({ id: head.source_id })).toMatchObject({ title: 'masked' })
})

test('uploads that were agreed on for another project or another holder of a key than those of the key are refused, and nothing is registered', async () => {
  const { client, org, service, projectId } = await start()
  const ben = await org.addMember('Ben')
  const other = await org.addProject('other')
  for (const agreed of [{ holder_id: ben.id }, { project_id: other.id }])
    expect(await client.ask([{}], agreed)).toMatchObject({ status: 403, body: { error: { code: 'not_agreed' } } })
  expect((await client.ask([{}], { holder_id: '' })).status).toBe(400)
  expect(await service.store.hasHistory(projectId)).toBe(false)
})
