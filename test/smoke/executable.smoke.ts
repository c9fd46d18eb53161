import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { toLine, writeFileIn } from '../agent/histories/sync/machine.ts'
import { startUpstream } from '../gateway/upstreams.ts'
import { waitUntil } from '../wait-until.ts'
import { ask, startExecutable } from './running.ts'

// What users get is the built file, alone in a folder. `bun run build` makes it.
const BUILT = join(import.meta.dir, '../../dist/memsvc')
const folder = mkdtempSync(join(tmpdir(), 'memsvc-smoke-'))
const executable = join(folder, 'memsvc')
const started: Subprocess[] = []

beforeAll(() => copyFileSync(BUILT, executable))
afterAll(async () => {
  for (const process of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

const issueKey = (data: string, project: string): string => {
  const { stdout } = Bun.spawnSync([executable, 'key', 'issue', '--project', project, '--json'], {
    cwd: folder,
    env: { SVC_DATA_DIR: data },
  })
  return JSON.parse(stdout.toString()).key
}

test('starts in an empty folder, keeps its first key for the owner alone, saves and finds, and stops when asked', async () => {
  const { url, printed, stop } = await startExecutable(executable, folder, './data', started)
  const key = issueKey('./data', 'default')
  const { tools } = await ask(url, key, 'tools/list')
  expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
    'remember',
    'search',
    'forget',
    'validate_memory',
    'gateway_call',
  ])
  await ask(url, key, 'tools/call', {
    name: 'remember',
    arguments: { content: 'The staging database is rebuilt every night' },
  })
  const found = await ask(url, key, 'tools/call', { name: 'search', arguments: { query: 'when is staging rebuilt?' } })
  expect(found).toMatchObject({
    structuredContent: { result: [{ content: 'The staging database is rebuilt every night' }] },
  })
  expect(await stop()).toBe(0)
  expect(await printed()).toMatch(
    /^memsvc is ready\. The first key, and the link into the console, are in \S+first-key\.txt\. Delete it when you have them\.\nSVC_PRINT_FIRST_KEY=1 prints them instead, [^\n]*\n$/,
  )
  const [, first = ''] =
    /Key +(svc_[0-9A-Za-z]{36})\n/.exec(readFileSync(join(folder, 'data/first-key.txt'), 'utf8')) ?? []
  expect(first).not.toBe('')
  expect(statSync(join(folder, 'data/first-key.txt')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['data', 'memsvc'])
  expect(statSync(join(folder, 'data/secret.key')).mode & 0o777).toBe(0o600)
})

test('says its version, and the commit that it was built of', () => {
  const said = Bun.spawnSync([executable, '--version'], { cwd: folder }).stdout.toString()
  expect(said).toMatch(/^\d+\.\d+\.\d+ \(commit [0-9a-f]{7,40}\+? of \d{4}-\d\d-\d\d\)\n$/)
})

test('knows tokens by a library that is loaded at the first text that may hold one', async () => {
  const { url, stop } = await startExecutable(executable, folder, './data', started)
  const content = `CI pushes with ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`
  const refused = await ask(url, issueKey('./data', 'default'), 'tools/call', {
    name: 'remember',
    arguments: { content },
  })
  expect(JSON.stringify(refused)).toContain(
    'content contains a credential (github, line 1, column 16); remove it and save again',
  )
  expect(await stop()).toBe(0)
})

test('connects an assistant by its agent, and says how the connection is', async () => {
  const { url, stop } = await startExecutable(executable, folder, './data', started)
  const env = { SVC_ENDPOINT: url, SVC_API_KEY: issueKey('./data', 'default'), SVC_STATE_DIR: './state' }
  const sent = ['initialize', 'tools/list'].map((method, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { protocolVersion: '2025-06-18' } }),
  )
  const agent = Bun.spawnSync([executable, 'agent'], { cwd: folder, env, stdin: Buffer.from(sent.join('\n')) })
  const answers = agent.stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: { tools?: { name: string }[] } })
  const listed = answers.find(({ id }) => id === 1)?.result.tools?.map(({ name }) => name)
  expect([agent.exitCode, answers.length, listed?.at(0), listed?.at(-1)]).toEqual([
    0,
    2,
    'remember',
    'memsvc_sync_status',
  ])
  const status = Bun.spawnSync([executable, 'status', '--json'], { cwd: folder, env })
  expect([status.exitCode, JSON.parse(status.stdout.toString())]).toMatchObject([
    0,
    { key: 'accepted', info: { project: 'default' } },
  ])
  expect(await stop()).toBe(0)
  expect(Bun.spawnSync([executable, 'status'], { cwd: folder, env }).exitCode).toBe(4)
  rmSync(join(folder, 'state'), { recursive: true })
})

test('uploads session histories in a thread of the agent, with credentials taken out', async () => {
  const { url, stop } = await startExecutable(executable, folder, './data', started)
  const home = mkdtempSync(join(tmpdir(), 'memsvc-smoke-home-'))
  const env = { HOME: home, SVC_ENDPOINT: url, SVC_API_KEY: issueKey('./data', 'default') }
  const session = crypto.randomUUID()
  const app = join(home, 'app')
  mkdirSync(app)
  const line = toLine(session, app, `the token is ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`)
  await writeFileIn(join(home, '.claude/projects/-app', `${session}.jsonl`), line)
  expect(Bun.spawnSync([executable, 'sync', 'enable', app, '--yes'], { env }).exitCode).toBe(0)
  const agent = Bun.spawn([executable, 'agent'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
  started.push(agent)
  const readProject = () =>
    (
      JSON.parse(Bun.spawnSync([executable, 'sync', 'status', '--json'], { env }).stdout.toString()) as {
        projects: unknown[]
      }
    ).projects[0]
  const isDone = () =>
    (readProject() as { report: { totals: { records_uploaded: number } } }).report.totals.records_uploaded === 1
  await waitUntil('the session is at the service', isDone)
  expect(readProject()).toMatchObject({
    redactions: { github: 1 },
    report: { enabled: true, totals: { sessions: { synced: 1 } } },
  })
  await agent.stdin.end()
  expect([await agent.exited, await stop()]).toEqual([0, 0])
  rmSync(home, { recursive: true })
})

test('speaks to the servers behind integrations in a thread of its own', async () => {
  const text = 'word '.repeat(400_000)
  const upstream = startUpstream({ 'tools/call': () => ({ content: [{ type: 'text', text }] }) })
  const env = { SVC_DATA_DIR: './data', SVC_OUTBOUND_ALLOW: '127.0.0.1' }
  for (const words of [
    ['add', 'hub', '--url', upstream.url, '--max-answer', '16777216'],
    ['enable', 'hub', '--project', 'default'],
  ])
    expect(await Bun.spawn([executable, 'integration', ...words], { cwd: folder, env, stdout: 'ignore' }).exited).toBe(
      0,
    )
  const { url, stop } = await startExecutable(executable, folder, './data', started, env)
  const called = await ask(url, issueKey('./data', 'default'), 'tools/call', { name: 'hub.echo' })
  expect(called).toEqual({ content: [{ type: 'text', text }], isError: false, _meta: { api_version: '1.0' } })
  expect(await stop()).toBe(0)
})

test('makes a backup in a thread of its own, which its command verifies and restores', async () => {
  const kept = join(folder, 'kept')
  const { stop } = await startExecutable(executable, folder, './data', started, {
    SVC_BACKUP_DIR: kept,
    SVC_BACKUP_EVERY: '6h',
  })
  const list = () => (existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.tar.zst')) : [])
  await waitUntil('a backup', () => list().length === 1)
  expect(await stop()).toBe(0)
  const file = join(kept, list()[0] ?? '')
  const restored = join(folder, 'restored')
  for (const words of [
    ['backup', 'verify', file],
    ['restore', file, '--data', restored],
  ])
    expect(Bun.spawnSync([executable, ...words], { cwd: folder, env: {} }).exitCode).toBe(0)
  expect(existsSync(join(restored, 'control.db'))).toBe(true)
})

test.each(['/oauth/authorize', '/console'])('carries its pages and their style: %s', async (path) => {
  const { url, stop } = await startExecutable(executable, folder, './data', started)
  const page = await fetch(new URL(path, url))
  const sheet = /<link rel="stylesheet" href="([^"]+)">/.exec(await page.text())?.[1] ?? ''
  const style = await fetch(new URL(sheet, url))
  expect([style.status, await style.text()]).toEqual([200, expect.stringContaining('prefers-color-scheme: dark')])
  expect(await stop()).toBe(0)
})

test('runs no code and reads no settings that lie in the folder it is started from', () => {
  writeFileSync(join(folder, '.env'), 'SVC_PORT=not-a-port\n')
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./evil.ts"]\n')
  writeFileSync(join(folder, 'evil.ts'), "console.log('ran')\n")
  const { stdout, exitCode } = Bun.spawnSync([executable, 'key', 'list', '--project', 'default'], {
    cwd: folder,
    env: { SVC_DATA_DIR: './data' },
  })
  expect(stdout.toString()).not.toContain('ran')
  expect(exitCode).toBe(0)
})
