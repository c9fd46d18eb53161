import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startHistories } from '../history/start-histories.ts'
import { claudeLine } from '../history/upload-client.ts'
import { type Change, makeFolder, runCommand } from '../run-cli.ts'

const random = { uuid: () => '', bytes: () => new Uint8Array() }
const clock = { now: () => Date.UTC(2026, 0, 15, 12), ticks: () => 0 }

async function start() {
  const running = await startHistories()
  const environment = { SVC_ENDPOINT: running.url, SVC_API_KEY: running.secret }
  const history = (words: string[], change: Change = {}, other = {}) =>
    runCommand({ environment: { ...environment, ...other }, clock, random }, ['history', ...words], change)
  const head = await running.client.head()
  const lines = [
    claudeLine('u1', 'How do I bake bread?'),
    JSON.stringify({
      type: 'assistant',
      uuid: 'u2',
      sessionId: 'one',
      timestamp: '2026-01-14T10:00:05.000Z',
      message: { role: 'assistant', content: [{ type: 'text', text: 'With flour.\nAnd \u001b[31mwater.' }] },
    }),
    '{"type":"mode","mode":"plan"}',
  ]
  await running.client.append(head, lines)
  return { ...running, history, head, lines }
}

test('lists what was uploaded with the key, and says where to go on', async () => {
  const { history, head, client } = await start()
  const one = await history(['list'])
  expect([one.status, one.err]).toEqual([0, ''])
  expect(one.out).toContain(
    `${head.source_id}  claude-code  2026-01-14 10:00  3      /home/ada/app  How do I bake bread?`,
  )
  await client.append(await client.head({ session_id: 'two' }), [
    claudeLine('u9', 'Another', { at: '2026-01-13T00:00:00Z' }),
  ])
  const first = await history(['list', '--limit', '1'])
  const [, place = ''] = /more: --before (\S+)/.exec(first.out) ?? []
  expect((await history(['list', '--before', place])).out).toContain('Another')
  expect(JSON.parse((await history(['list', '--json'])).out)).toMatchObject({
    sessions: [{ title: 'How do I bake bread?' }, {}],
    state: { sessions: 2 },
  })
  expect((await history(['list', '--assistant', 'codex'])).out).toContain('nothing was uploaded')
})

test('shows a transcript, of which no terminal obeys anything', async () => {
  const { history, head } = await start()
  const { out } = await history(['show', head.source_id])
  expect(out).toBe(
    '── #1 · user · 2026-01-14 10:00\nHow do I bake bread?\n\n── #2 · assistant · 2026-01-14 10:00\nWith flour.\nAnd [31mwater.\n\n',
  )
  expect((await history(['show', head.source_id, '--all', '--from', '3'])).out).toContain(
    '── #3 · raw\n{"type":"mode","mode":"plan"}',
  )
  const [line = ''] = (await history(['show', head.source_id, '--json', '--limit', '1'])).out.split('\n')
  expect(JSON.parse(line)).toEqual({
    line: 1,
    role: 'user',
    at: '2026-01-14T10:00:00.000Z',
    text: 'How do I bake bread?',
  })
})

test('a session is named by its id here, by that of its assistant, or by the beginning of either, unless several begin so', async () => {
  const { history, head, client } = await start()
  const [first, second] = ['4f3c2b1a-0000-4000-8000-000000000001', '4f3c2b1a-0000-4000-8000-000000000002']
  for (const session of [first, second])
    await client.append(await client.head({ session_id: session }), [claudeLine(session, `in ${session}`)])
  const mine = claudeLine('sub', 'in its subagent')
  const subagent = { session_id: first, source_key: 'sub', kind: 'subagent' as const, parent_session_id: first }
  await client.append(await client.head(subagent), [mine])
  expect((await history(['show', first])).out).toContain(`in ${first}`)
  expect((await history(['show', second])).out).toContain(`in ${second}`)
  expect((await history(['export', head.source_id.slice(0, 34)])).out).toContain('How do I bake bread?')
  expect((await history(['grep', head.source_id, 'flour'])).status).toBe(0)
  const several = await history(['show', '4f3c2b1a'])
  expect([several.status, several.err]).toEqual([1, expect.stringContaining("'4f3c2b1a' names several sessions: ")])
  for (const part of [first, second, 'claude-code']) expect(several.err).toContain(part)
  expect(await history(['show', '4f3'])).toMatchObject({ status: 1, err: 'memsvc: there is no such session\n' })
  expect((await history(['erase', second, '--yes'])).out).toBe('erased 1 session with 1 line\n')
  expect((await history(['erase', '4f3c2b1a', '--yes'])).status).toBe(1)
  expect((await history(['erase', first, '--yes'])).out).toBe('erased 2 sessions with 2 lines\n')
})

test('finds a text in a session, in any case', async () => {
  const { history, head } = await start()
  expect(await history(['grep', head.source_id, 'FLOUR'])).toEqual({
    status: 0,
    out: '#2 assistant: With flour. And [31mwater.\n',
    err: '',
  })
  expect(await history(['grep', head.source_id, 'yeast'])).toEqual({
    status: 1,
    out: '',
    err: 'memsvc: no line has this text\n',
  })
  expect((await history(['grep', head.source_id, 'plan', '--all'])).out).toContain('#3 raw')
})

test('exports a session as it was written', async () => {
  const { history, head, lines } = await start()
  const text = lines.map((line) => `${line}\n`).join('')
  expect((await history(['export', head.source_id])).out).toBe(text)
  const file = join(await makeFolder(), 'session.jsonl')
  expect((await history(['export', head.source_id, '--output', file])).status).toBe(0)
  expect(await Bun.file(file).text()).toBe(text)
})

test('an export whose reader has closed the pipe has not failed, and one that cannot be written has', async () => {
  const { history, head } = await start()
  const fail = (code: string) => ({
    outBytes: () => Promise.reject(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' })),
  })
  expect(await history(['export', head.source_id], fail('EPIPE'))).toEqual({ status: 0, out: '', err: '' })
  expect(await history(['export', head.source_id], fail('ENOSPC'))).toEqual({
    status: 1,
    out: '',
    err: 'memsvc: ENOSPC: write\n',
  })
})

test('erases after a question, one session or all', async () => {
  const { history, head, client } = await start()
  await client.append(await client.head({ session_id: 'two' }), [claudeLine('u9', 'Another')])
  expect((await history(['erase', head.source_id])).err).toContain('add --yes to do it')
  expect((await history(['erase', head.source_id], { confirm: async () => false })).status).toBe(1)
  expect((await history(['erase', head.source_id], { confirm: async () => true })).out).toBe(
    'erased 1 session with 3 lines\n',
  )
  expect((await history(['show', head.source_id])).err).toBe('memsvc: there is no such session\n')
  expect((await history(['erase', '--all', '--yes'])).out).toBe('erased 1 session with 1 line\n')
  expect((await history(['erase'])).status).toBe(1)
  expect((await history(['list'])).out).toContain('nothing was uploaded')
})

test("shows nothing of others: a session of somebody else's is none", async () => {
  const { history, head, org } = await start()
  const other = { SVC_API_KEY: await org.keyOf(await org.addMember('Ada', { role: 'owner' })) }
  for (const words of [
    ['show', head.source_id],
    ['grep', head.source_id, 'bread'],
    ['export', head.source_id],
    ['erase', head.source_id, '--yes'],
  ]) {
    expect(await history(words, {}, other)).toEqual({ status: 1, out: '', err: 'memsvc: there is no such session\n' })
  }
  expect((await history(['list'], {}, other)).out).toContain('nothing was uploaded')
  expect((await history(['list'], {}, { SVC_API_KEY: '' })).status).toBe(2)
})
