import { expect, test } from 'bun:test'
import { mkdir, readdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { startHistories } from '../history/start-histories.ts'
import { claudeLine, type SourceWish } from '../history/upload-client.ts'
import { makeFolder, runCommand } from '../run-cli.ts'

const random = { uuid: () => '', bytes: () => new Uint8Array() }
const clock = { now: () => Date.UTC(2026, 0, 15, 12), ticks: () => 0 }
const ID = '4f3c2b1a-0000-4000-8000-000000000001'
const ENCRYPTED = { $omitted: { bytes: 10, reason: 'encrypted' } }
const IMAGE = { $omitted: { bytes: 2048, reason: 'image' } }
const COPY = { $omitted: { bytes: 10, reason: 'copy' } }

/** A service, an empty home with the folder of a session, and `memsvc history continue` in it. */
async function start(lines: (dir: string) => object[], wish: SourceWish = {}) {
  const { url, secret, client } = await startHistories()
  const home = await makeFolder()
  const dir = join(home, 'app')
  await mkdir(dir)
  const head = await client.head({ session_id: ID, source_key: `${ID}.jsonl`, cwd: dir, ...wish })
  await client.append(
    head,
    lines(dir).map((line) => JSON.stringify(line)),
  )
  const environment = { SVC_ENDPOINT: url, SVC_API_KEY: secret, HOME: home }
  const goOn = (...words: string[]) =>
    runCommand({ environment, clock, random }, ['history', 'continue', head.source_id, ...words])
  return { home, dir, goOn }
}

/** A line of Claude Code with its place in the conversation. */
const say = (uuid: string, parentUuid: string | null, more: object = {}) => ({
  ...JSON.parse(claudeLine(uuid, `said in ${uuid}`)),
  parentUuid,
  ...more,
})

const answer = (uuid: string, parentUuid: string, content: object[]) =>
  say(uuid, parentUuid, { type: 'assistant', message: { role: 'assistant', content } })

async function readLines(file: string): Promise<Record<string, unknown>[]> {
  return (await Bun.file(file).text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const claudeFile = (home: string, dir: string) =>
  join(home, '.claude/projects', dir.replaceAll(/[^a-zA-Z0-9]/g, '-'), `${ID}.jsonl`)

test('a session of Claude Code is written where it resumes sessions of that folder, for its owner alone', async () => {
  const { home, dir, goOn } = await start((cwd) => [
    say('u1', null, { cwd }),
    answer('u2', 'u1', [{ type: 'thinking', thinking: 'Hm.', signature: ENCRYPTED }]),
    answer('u3', 'u2', [{ type: 'text', text: 'The key is [REDACTED:github-pat].' }]),
    { type: 'api-request-shape', shape: COPY },
    say('u4', 'u3', {
      message: {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } },
          { type: 'text', text: 'this' },
        ],
      },
    }),
  ])
  const { status, out, err } = await goOn()
  const file = claudeFile(home, dir)
  expect([status, err]).toEqual([0, ''])
  expect(out).toContain(`Written: 3 lines to ${file}\n`)
  expect(out).toContain('Redacted places stay redacted:\n  1 credential of it is [REDACTED:…]\n  in 3 lines pictures, ')
  expect(out).toContain(`Go on with:\n  cd ${dir} && claude --resume ${ID}\n`)
  const lines = await readLines(file)
  expect(lines.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
    ['u1', null],
    ['u3', 'u1'],
    ['u4', 'u3'],
  ])
  expect(lines[2]?.message).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: '[an image of 2048 bytes was left out when this session was uploaded]' },
      { type: 'text', text: 'this' },
    ],
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(file, '..'))).toEqual([`${ID}.jsonl`])
})

test('it replaces nothing: neither the file that is there, nor the same session of another folder', async () => {
  const { home, dir, goOn } = await start((cwd) => [say('u1', null, { cwd })])
  expect((await goOn()).status).toBe(0)
  await Bun.write(claudeFile(home, dir), 'gone on here')
  await mkdir(join(home, 'other'))
  for (const words of [[], ['--dir', join(home, 'other')]]) {
    const { status, err } = await goOn(...words)
    expect([status, err]).toEqual([1, expect.stringContaining('this session is on this machine already, and stays')])
  }
  expect(await Bun.file(claudeFile(home, dir)).text()).toBe('gone on here')
  expect(await readdir(join(home, '.claude/projects'))).toHaveLength(1)
})

test('in another folder its lines say that one', async () => {
  const { home, goOn } = await start((cwd) => [
    say('u1', null, { cwd }),
    say('u2', 'u1', { cwd: join(cwd, 'src') }),
    say('u3', 'u2', { cwd: '/elsewhere' }),
  ])
  const other = join(home, 'quay side')
  expect((await goOn('--dir', other)).err).toContain(`there is no folder '${other}'`)
  await mkdir(other)
  expect((await goOn('--dir', other)).out).toContain(`cd '${other}' && claude`)
  const lines = await readLines(claudeFile(home, other))
  expect(lines.map(({ cwd }) => cwd)).toEqual([other, join(other, 'src'), '/elsewhere'])
})

test('a folder that is not on this machine has to be replaced by another', async () => {
  const { goOn } = await start((cwd) => [say('u1', null, { cwd })], { cwd: '/home/ada/gone' })
  const { status, err } = await goOn()
  expect([status, err]).toEqual([1, expect.stringContaining("'/home/ada/gone', is not on this machine; name another")])
})

test('a session of Codex is written under the name that its file had, and its lines keep their places', async () => {
  const name = `rollout-2026-01-14T10-00-00-${ID}.jsonl`
  const item = (payload: object, type = 'response_item') => ({ timestamp: '2026-01-14T10:00:00.000Z', type, payload })
  const { home, dir, goOn } = await start(
    (cwd) => [
      item({ id: ID, cwd }, 'session_meta'),
      item({ type: 'reasoning', summary: [], encrypted_content: ENCRYPTED }),
      item({ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: IMAGE }] }),
      item({ message: 'In short: bread.', replacement_history: COPY }, 'compacted'),
    ],
    { assistant: 'codex', source_key: name },
  )
  expect((await goOn()).out).toContain(`cd ${dir} && codex resume ${ID}\n`)
  const lines = await readLines(join(home, '.codex/sessions/2026/01/14', name))
  expect(lines.map(({ payload }) => payload)).toEqual([
    { id: ID, cwd: dir },
    { type: 'left_out' },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '[an image of 2048 bytes was left out when this session was uploaded]' }],
    },
    { message: 'In short: bread.' },
  ])
  expect((await goOn()).err).toContain('this session is on this machine already')
})

test('a session of Copilot CLI is written without reasoning that only its model could read', async () => {
  const { home, dir, goOn } = await start(
    (cwd) => [
      { type: 'session.start', id: 'e1', data: { sessionId: ID, context: { cwd } } },
      { type: 'assistant.message', id: 'e2', data: { content: 'done', reasoningOpaque: ENCRYPTED } },
    ],
    { assistant: 'copilot', source_key: `${ID}/events.jsonl` },
  )
  expect((await goOn()).out).toContain(`cd ${dir} && copilot --resume=${ID}\n`)
  const lines = await readLines(join(home, '.copilot/session-state', ID, 'events.jsonl'))
  expect(lines.map(({ data }) => data)).toEqual([{ sessionId: ID, context: { cwd: dir } }, { content: 'done' }])
})

test.each([
  [
    'a name that leads out of the folder',
    { assistant: 'codex', source_key: '../../../.bashrc' },
    'no session of Codex',
  ],
  ['an id that leads out of the folder', { session_id: '../../evil', source_key: 'x' }, 'is no id of a session'],
  [
    'an id that is an option',
    { assistant: 'codex', session_id: '--yolo', source_key: `rollout-2026-01-14T10-00-00-${ID}.jsonl` },
    'is no id of a session of Codex',
  ],
  ['a subagent', { kind: 'subagent', parent_session_id: 'main-one' }, "a subagent; continue its session 'main-one'"],
  ['another assistant', { assistant: 'gemini', source_key: 'x' }, 'can be continued, not of gemini'],
] as [string, SourceWish, string][])('nothing is written for %s', async (_, wish, reason) => {
  const { home, goOn } = await start((cwd) => [say('u1', null, { cwd })], wish)
  const { status, err } = await goOn()
  expect([status, err]).toEqual([1, expect.stringContaining(reason)])
  expect(await readdir(home)).toEqual(['app'])
})

test('it follows no link out of the folder of the assistant', async () => {
  const { home, dir, goOn } = await start((cwd) => [say('u1', null, { cwd })])
  const elsewhere = await makeFolder()
  const folder = join(claudeFile(home, dir), '..')
  await mkdir(join(folder, '..'), { recursive: true })
  await symlink(elsewhere, folder)
  expect((await goOn()).err).toContain('leads to another place')
  expect(await readdir(elsewhere)).toEqual([])
})
