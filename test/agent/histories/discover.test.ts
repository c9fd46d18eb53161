import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { discover } from '../../../src/agent/histories/discover.ts'
import type { HistorySource } from '../../../src/agent/histories/source.ts'

const SAMPLES = join(import.meta.dir, '../../transcripts/samples')
const ID = '2e1d7551-deef-47ea-88ab-22e4afa8d5ac'
const ROLLOUT = `rollout-2026-11-22T11-35-03-${ID}.jsonl`
const DAY = '.codex/sessions/2026/11/22'

let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'memsvc-home-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function place(sample: string, path: string): Promise<string> {
  const file = join(home, path)
  await mkdir(dirname(file), { recursive: true })
  await copyFile(join(SAMPLES, `${sample}.jsonl`), file)
  return file
}

function find(
  environment: Record<string, string> = {},
  known?: ReadonlyMap<string, HistorySource>,
): Promise<HistorySource[]> {
  return discover({ environment, home }, known)
}

test('sessions and subagents of Claude Code are found, with what their lines say of them', async () => {
  const main = await place('claude-code-session', `.claude/projects/-any-name/${ID}.jsonl`)
  await place('claude-code-subagent', `.claude/projects/-any-name/${ID}/subagents/agent-a0de.jsonl`)
  await place('claude-code-subagent', `.claude/projects/-any-name/${ID}/subagents/workflows/wf_1/agent-b1.jsonl`)
  await place('claude-code-session', '.claude/projects/-any-name/notes.jsonl')
  await place('claude-code-session', `.claude/projects/-any-name/${ID}/subagents/journal.jsonl`)
  const found = await find()
  expect(found).toHaveLength(3)
  expect(found[2]?.sourceKey).toBe(`${ID}/subagents/workflows/wf_1/agent-b1.jsonl`)
  expect(found[0]).toMatchObject({
    assistant: 'claude-code',
    sourceKey: `${ID}.jsonl`,
    kind: 'main',
    file: main,
    sessionId: ID,
    cwd: '/home/ada/harbour',
    gitBranch: 'HEAD',
    appVersion: '2.1.330',
    firstAt: expect.stringMatching(/^2026-11-22T11:35:00/),
    lastAt: expect.stringMatching(/^2026-11-22T11:35:0/),
    bytes: (await readFile(main)).length,
  })
  expect(found[1]).toMatchObject({
    sourceKey: `${ID}/subagents/agent-a0de.jsonl`,
    kind: 'subagent',
    sessionId: 'agent-a0de',
    parentSessionId: ID,
    cwd: '/home/ada/harbour',
  })
})

test('a history of Codex keeps its name when it is archived or compressed, and is there once', async () => {
  const file = await place('codex-session', join(DAY, ROLLOUT))
  expect(await find()).toMatchObject([
    { assistant: 'codex', sourceKey: ROLLOUT, sessionId: ID, file, cwd: '/home/ada/harbour' },
  ])
  const archived = join(home, '.codex/archived_sessions', ROLLOUT)
  await mkdir(dirname(archived), { recursive: true })
  await rename(file, archived)
  expect(await find()).toMatchObject([{ sourceKey: ROLLOUT, file: archived, cwd: '/home/ada/harbour' }])
  await writeFile(`${archived}.zst`, await Bun.zstdCompress(await readFile(archived)))
  expect(await find()).toMatchObject([{ sourceKey: ROLLOUT, file: archived }])
  await rm(archived)
  expect(await find()).toMatchObject([
    { sourceKey: ROLLOUT, file: `${archived}.zst`, cwd: '/home/ada/harbour', appVersion: '0.169.0' },
  ])
})

test('subagents and forks of Codex name the session that they come from', async () => {
  await place('codex-subagent', join(DAY, ROLLOUT))
  await place('codex-fork', join(DAY, ROLLOUT.replace('2e1d', '3e1d')))
  expect(await find()).toMatchObject([
    { kind: 'subagent', parentSessionId: expect.any(String) },
    { kind: 'main', parentSessionId: expect.any(String) },
  ])
})

test('where Codex is told to keep no history, none of it is found', async () => {
  await place('codex-session', join(DAY, ROLLOUT))
  await writeFile(join(home, '.codex/config.toml'), '[history]\npersistence = "none"\n')
  expect(await find()).toEqual([])
  await writeFile(join(home, '.codex/config.toml'), '[history\n')
  expect(await find()).toHaveLength(1)
})

test('sessions of Gemini CLI are in the folder that is noted beside them, and in none where nothing is', async () => {
  await place('gemini-session', '.gemini/tmp/harbour/chats/session-2026-11-22T11-35-90c2700a.jsonl')
  await place('gemini-subagent', `.gemini/tmp/harbour/chats/${ID}/f4d7b9a3.jsonl`)
  expect(await find()).toEqual([])
  await writeFile(join(home, '.gemini/tmp/harbour/.project_root'), '/home/ada/harbour\n')
  expect(await find()).toMatchObject([
    {
      sourceKey: 'harbour/session-2026-11-22T11-35-90c2700a.jsonl',
      kind: 'main',
      sessionId: expect.stringMatching(/^90c2700a-/),
      cwd: '/home/ada/harbour',
    },
    { sourceKey: `${ID}/f4d7b9a3.jsonl`, kind: 'subagent', parentSessionId: ID, cwd: '/home/ada/harbour' },
  ])
})

test('sessions of Copilot CLI are found', async () => {
  await place('copilot-session', `.copilot/session-state/${ID}/events.jsonl`)
  expect(await find()).toMatchObject([
    { assistant: 'copilot', sourceKey: `${ID}/events.jsonl`, cwd: '/home/ada/harbour', appVersion: '1.0.102' },
  ])
})

test('the variables of the assistants say where else to look', async () => {
  await place('claude-code-session', `a/projects/p/${ID}.jsonl`)
  await place('codex-session', `b/archived_sessions/${ROLLOUT}`)
  await place('gemini-session', 'c/.gemini/tmp/p/chats/session-1.jsonl')
  await writeFile(join(home, 'c/.gemini/tmp/p/.project_root'), '/home/ada/harbour')
  await place('copilot-session', `d/session-state/${ID}/events.jsonl`)
  expect(await find()).toEqual([])
  const variables = { CLAUDE_CONFIG_DIR: 'a', CODEX_HOME: 'b', GEMINI_CLI_HOME: 'c', COPILOT_HOME: 'd' }
  const environment = Object.fromEntries(Object.entries(variables).map(([name, folder]) => [name, join(home, folder)]))
  expect((await find(environment)).map(({ assistant }) => assistant)).toEqual([
    'claude-code',
    'codex',
    'gemini',
    'copilot',
  ])
})

test('links to files and to folders are not followed', async () => {
  const outside = await place('claude-code-session', `outside/${ID}.jsonl`)
  await mkdir(join(home, '.claude/projects/p'), { recursive: true })
  await symlink(outside, join(home, `.claude/projects/p/${ID}.jsonl`))
  await symlink(dirname(outside), join(home, '.claude/projects/linked'))
  expect(await find()).toEqual([])
})

test('a session is where its first line says, whatever later lines say', async () => {
  const file = await place('claude-code-session', `.claude/projects/p/${ID}.jsonl`)
  await appendFile(file, `${JSON.stringify({ type: 'user', uuid: 'x', cwd: '/home/ada/secret', sessionId: ID })}\n`)
  expect(await find()).toMatchObject([{ cwd: '/home/ada/harbour' }])
})

test('a file without a line that says where it was is in no folder', async () => {
  const file = join(home, `.claude/projects/p/${ID}.jsonl`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '{"type":"summary","summary":"x"}\nno JSON\n{"cwd":"/not/complete"')
  expect(await find()).toMatchObject([{ sourceKey: `${ID}.jsonl`, cwd: null }])
})

test('of a file that has not changed nothing is read again', async () => {
  const file = await place('claude-code-session', `.claude/projects/p/${ID}.jsonl`)
  const [source] = await find()
  if (source === undefined) throw new Error('not found')
  const known = new Map([[file, { ...source, gitBranch: 'as known' }]])
  expect(await find({}, known)).toMatchObject([{ gitBranch: 'as known' }])
  await appendFile(file, '{"type":"new"}\n')
  expect(await find({}, known)).toMatchObject([{ gitBranch: 'HEAD' }])
})

test('a folder that is not absolute is none, since it would be looked for where this process runs', async () => {
  const codex = await place('codex-session', `${DAY}/${ROLLOUT}`)
  for (const cwd of ['', 'harbour', 'C:\\\\harbour']) {
    await writeFile(codex, `{"type":"session_meta","payload":{"id":"${ID}","cwd":"${cwd}"}}\n`)
    expect(await find()).toMatchObject([{ sourceKey: ROLLOUT, cwd: null }])
  }
  await rm(codex)
  await place('gemini-session', '.gemini/tmp/harbour/chats/session-2026-11-22T11-35-abc.jsonl')
  await writeFile(join(home, '.gemini/tmp/harbour/.project_root'), '\n')
  expect(await find()).toMatchObject([{ assistant: 'gemini', cwd: null }])
})
