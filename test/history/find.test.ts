import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { DAY_MS } from '../../src/clock.ts'
import { eraseSession } from '../../src/history/erase/erase.ts'
import { purgeHistories } from '../../src/history/erase/purge.ts'
import { findSessions } from '../../src/history/find/find-sessions.ts'
import { readFilter } from '../../src/history/find/read-filter.ts'
import { indexHistories, indexUploaded, PASSAGE_VERSION } from '../../src/history/index/index-histories.ts'
import { scanHistories } from '../../src/history/scan-histories.ts'
import type { Service } from '../../src/service.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startHistories } from './start-histories.ts'
import { claudeLine, createUploadClient } from './upload-client.ts'

const call = (uuid: string, name: string, input: object) =>
  JSON.stringify({
    type: 'assistant',
    uuid,
    sessionId: 'one',
    timestamp: '2026-01-14T10:00:00.000Z',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: uuid, name, input }] },
  })

const said = (uuid: string, text: string, type = 'text') =>
  JSON.stringify({
    type: 'assistant',
    uuid,
    sessionId: 'one',
    timestamp: '2026-01-14T10:00:00.000Z',
    message: { role: 'assistant', content: [{ type, [type]: text }] },
  })

const result = (uuid: string, text: string) =>
  claudeLine(uuid, '', { message: { role: 'user', content: [{ type: 'tool_result', content: text }] } })

async function startFind() {
  const running = await startHistories()
  const { service, actor, projectId } = running
  const find = async (query: Partial<Parameters<typeof findSessions>[2]>, by = actor) =>
    (await findSessions(service, by, { projectId, limit: 10, ...query })).found
  const named = async (query: Parameters<typeof find>[0], by = actor) =>
    (await find(query, by)).map(({ session }) => session.session_id)
  const upload = async (session_id: string, lines: string[], wish: object = {}, client = running.client) => {
    const head = await client.append(await client.head({ session_id, ...wish }), lines)
    await indexUploaded(service)
    return head
  }
  return { ...running, find, named, upload }
}

test('sessions are found by prompts, final answers, commands, paths, title and branch, never by reasoning or what a tool answered', async () => {
  const { upload, named, find } = await startFind()
  const lines = [
    claudeLine('u1', 'Why is the checkout test flaky?'),
    said('u2', 'about the wombat', 'thinking'),
    said('u3', 'Let me look at the ocelot'),
    call('u4', 'Bash', { command: 'bun test --rerun-each 20', description: 'a capybara' }),
    result('u5', 'a platypus failed'),
    call('u6', 'Edit', { file_path: '/home/ada/app/src/auth.ts', old_string: 'lemur', new_string: 'tapir' }),
    said('u7', 'The clock was mocked after the timer had started.'),
  ]
  await upload('flaky', lines, { git_branch: 'fix/quetzal-timer' })
  await upload('other', [claudeLine('u1', 'Rename the button')])
  for (const words of ['flaky checkout tests', 'mocking clocks', 'rerun-each', 'auth.ts', 'quetzal'])
    expect([words, await named({ words })]).toEqual([words, ['flaky']])
  for (const words of ['wombat', 'ocelot', 'capybara', 'platypus', 'lemur', 'tapir'])
    expect([words, await named({ words })]).toEqual([words, []])
  const [first] = await find({ words: 'checkout clock' })
  expect(first?.lines).toEqual([
    { line: 1, role: 'prompt', at: '2026-01-14T10:00:00.000Z', text: 'Why is the checkout test flaky?' },
    {
      line: 7,
      role: 'answer',
      at: '2026-01-14T10:00:00.000Z',
      text: 'The clock was mocked after the timer had started.',
    },
  ])
  for (const file of ['src/auth.ts', 'auth.ts', '/home/ada/app/src/auth.ts', './src/auth.ts'])
    expect(await named({ file })).toEqual(['flaky'])
  expect([await named({ file: 'rc/auth.ts' }), await named({ file: 'src/auth.ts', words: 'button' })]).toEqual([[], []])
})

test('more of the words come first, those of one line before those apart, and among equals the last active', async () => {
  const { upload, named } = await startFind()
  const at = (day: number) => ({ at: `2026-01-0${day}T10:00:00.000Z` })
  const far = Array.from({ length: 200 }, (_, line) => claudeLine(`f${line}`, 'something else', at(4)))
  await upload('together', [claudeLine('u1', 'the heron and the stork', at(1))])
  await upload('apart', [claudeLine('u1', 'the heron', at(2)), claudeLine('u2', 'the stork', at(2))])
  await upload('far', [
    claudeLine('u0', 'x', at(4)),
    claudeLine('u1', 'the heron', at(4)),
    ...far,
    claudeLine('u2', 'the stork', at(4)),
  ])
  await upload('old', [claudeLine('u1', 'nothing but the heron', at(3))])
  expect(await named({ words: 'heron stork' })).toEqual(['together', 'apart', 'far'])
  expect(await named({ words: 'herons' })).toEqual(['far', 'old', 'apart', 'together'])
})

test('the last page tells that only the best 60 sessions are found', async () => {
  const { upload, service, actor, projectId } = await startFind()
  const find = (from: number) => findSessions(service, actor, { projectId, words: 'heron', from, limit: 50 })
  for (let nth = 1; nth <= 59; nth++) await upload(`s${nth}`, [claudeLine('u1', 'the heron')])
  expect([await find(0), await find(50)]).toMatchObject([{ next: 50 }, { next: undefined }])
  expect(await find(50)).not.toHaveProperty('only_best')
  await upload('s60', [claudeLine('u1', 'the heron')])
  await upload('s61', [claudeLine('u1', 'the heron')])
  const [first, last] = [await find(0), await find(50)]
  expect([first.only_best, last.found.length, last.only_best]).toEqual([undefined, 10, 60])
})

test('results are narrowed as a list is, and come in pages', async () => {
  const { upload, named, service, actor, projectId } = await startFind()
  await upload('a', [claudeLine('u1', 'the heron', { at: '2026-01-02T10:00:00.000Z' })], { cwd: '/work/shop/api' })
  await upload('b', [claudeLine('u1', 'the heron', { at: '2026-01-09T10:00:00.000Z' })], { git_branch: 'main' })
  const words = 'heron'
  expect(await named({ words, folder: 'shop' })).toEqual(['a'])
  expect(await named({ words, folder: 'work/shop' })).toEqual(['a'])
  expect(await named({ words, folder: 'sho' })).toEqual([])
  expect(await named({ words, gitBranch: 'main' })).toEqual(['b'])
  expect(await named({ words, assistant: 'codex' })).toEqual([])
  expect(await named({ words, since: Date.parse('2026-01-05') })).toEqual(['b'])
  expect(await named({ words, until: Date.parse('2026-01-05') })).toEqual(['a'])
  for (const filter of [{ folder: 'sh\0op' }, { gitBranch: 'ma\0in' }, { assistant: '\0' }])
    expect(await named({ words, ...filter })).toEqual([])
  const page = await findSessions(service, actor, { projectId, words, limit: 1 })
  expect([page.found[0]?.session.session_id, page.next]).toEqual(['b', 1])
  const second = await findSessions(service, actor, { projectId, words, limit: 1, from: 1 })
  expect([second.found[0]?.session.session_id, second.next]).toEqual(['a', undefined])
  for (const day of ['2026-02-31', '2026-13-01', 'today'])
    expect(() => readFilter((name) => (name === 'since' ? day : undefined))).toThrow('since must be a day such as')
  const long = 'x'.repeat(201)
  expect(await rejectionOf(named({ words: long }))).toBe('the words to find have at most 200 characters')
  expect(await rejectionOf(named({}))).toBe('give words to find, or a file')
})

test('nobody finds what somebody else uploaded: no member, admin or owner, no service key, no other project', async () => {
  const { org, url, upload, named, actorOf, service, project } = await startFind()
  const ada = await org.addMember('Ada', { role: 'admin' })
  const robot = await org.issueKey()
  const [hers, its] = [createUploadClient(url, await org.keyOf(ada)), createUploadClient(url, robot.secret)]
  await upload('hers', [claudeLine('u1', 'the heron'), call('u2', 'Read', { path: 'src/a.ts' })], {}, hers)
  await upload('its', [claudeLine('u1', 'the heron'), call('u2', 'Read', { path: 'src/a.ts' })], {}, its)
  const other = await org.addProject('other')
  const inOther = createUploadClient(url, (await org.issueKey({ project: other })).secret)
  for (const query of [{ words: 'heron' }, { file: 'src/a.ts' }]) {
    expect(await named(query)).toEqual([])
    expect(await named(query, actorOf(ada))).toEqual(['hers'])
    expect(await rejectionOf(named(query, COMMAND_LINE as never))).toContain('those alone who uploaded them')
    const path = `find?${new URLSearchParams(query as Record<string, string>)}`
    expect((await inOther.get(path)).body).toEqual({ found: [] })
    expect((await its.get(path)).body).toMatchObject({ found: [{ session: { session_id: 'its' } }] })
  }
  expect((await named({ words: 'heron', projectId: other.id }, actorOf(ada)).catch(() => [])) as string[]).toEqual([])
  expect(service.store.history(project.id)).toBeDefined()
})

/** What the index says of all of a project's histories. */
const indexOf = async ({ store }: Service, projectId: string) => {
  const sources = await store.history(projectId).listIndexed({ rules: PASSAGE_VERSION, limit: 100 })
  return sources.map(({ indexed, lastLine }) => [indexed, lastLine])
}

test('what is erased, rewritten, masked or too old is out of the index', async () => {
  const { upload, named, client, service, actor, projectId, pass } = await startFind()
  const store = service.store.history(projectId)
  const erased = await upload('erased', [claudeLine('u1', 'the heron')])
  const kept = await upload('kept', [claudeLine('u1', 'the stork'), claudeLine('u2', 'the crane')])
  await eraseSession(service, actor, { projectId, id: erased.source_id })
  expect(await named({ words: 'heron' })).toEqual([])
  expect(await store.findLastPassage(erased.source_id)).toBeUndefined()
  await client.append(kept, [claudeLine('u2', 'the ibis')])
  expect(await named({ words: 'crane' })).toEqual([])
  await indexUploaded(service)
  expect([await named({ words: 'ibis' }), await named({ words: 'crane' })]).toEqual([['kept'], []])
  const secret = `ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`
  const found = await store.findSource({ id: kept.source_id })
  await store.write((tx) => tx.updateSource(kept.source_id, { title: `the egret ${secret}` }))
  await store.write((tx) => tx.dropPassages(kept.source_id, 1))
  await indexHistories(service)
  expect(await named({ words: secret })).toEqual(['kept'])
  await scanHistories(store, true)
  expect(await named({ words: secret })).toEqual([])
  await indexHistories(service)
  expect([await named({ words: secret }), await named({ words: 'egret' }), found?.lines]).toEqual([[], ['kept'], 2])
  pass(400 * DAY_MS)
  await purgeHistories(service)
  expect(await named({ words: 'ibis' })).toEqual([])
  expect(await store.findLastPassage(kept.source_id)).toBeUndefined()
})

test('killed before or after any write of indexing, the next run makes the same index', async () => {
  const { client, service, projectId, named } = await startFind()
  const lines = Array.from({ length: 700 }, (_, at) => claudeLine(`u${at}`, `line number${at} of the heron`))
  await client.append(await client.head(), lines)
  const store = service.store.history(projectId)
  for (const step of [0, 1, 2, 3]) {
    let left = step
    const write: typeof store.write = async (act) => {
      if (--left < 0) throw new Error('killed')
      return store.write(act)
    }
    await indexHistories({
      ...service,
      log: () => {},
      store: { ...service.store, history: () => ({ ...store, write }) },
    })
  }
  await indexHistories(service)
  expect(await indexOf(service, projectId)).toEqual([[700, 700]])
  for (const at of [0, 127, 128, 400, 699]) expect(await named({ words: `number${at}` })).toEqual(['one'])
})
