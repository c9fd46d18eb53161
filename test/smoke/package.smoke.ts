import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { ask, startExecutable } from './running.ts'

// What is published to npm, unpacked where npm would put it, beside nothing but the Bun that it depends on.
const ROOT = join(import.meta.dir, '../..')
const folder = mkdtempSync(join(tmpdir(), 'memsvc-package-'))
const KEY = 'svc_0000000000000000000000000000001QYf5p'
const installed = join(folder, 'node_modules/memsvc')
const command = ['node', join(installed, 'bin/memsvc.js')]
const started: Subprocess[] = []

const run = (words: string[], options: Parameters<typeof Bun.spawnSync>[1] = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd: ROOT, ...options })
  return { exitCode, out: stdout?.toString() ?? '', err: stderr?.toString() ?? '' }
}

beforeAll(() => {
  mkdirSync(installed, { recursive: true })
  const steps = [
    [process.execPath, 'run', 'build:package'],
    ['npm', 'pack', join(ROOT, 'dist/npm'), '--pack-destination', folder],
  ]
  for (const words of steps) expect(run(words)).toMatchObject({ exitCode: 0 })
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  expect(run(['tar', 'xzf', join(folder, tarball), '-C', installed, '--strip-components=1'])).toMatchObject({
    exitCode: 0,
  })
  symlinkSync(join(ROOT, 'node_modules/@oven'), join(folder, 'node_modules/@oven'))
})

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

test('serves, issues a key for a client that it connects, and passes signals and exit statuses on', async () => {
  const home = join(folder, 'home')
  mkdirSync(join(home, '.cursor'), { recursive: true })
  const env = { PATH: process.env.PATH ?? '', HOME: home, SVC_DATA_DIR: join(folder, 'data') }
  const { url, stop } = await startExecutable(command, folder, env.SVC_DATA_DIR, started, env)
  const connected = run([...command, 'client', 'add', 'cursor', '--yes'], {
    cwd: folder,
    env: { ...env, SVC_PORT: new URL(url).port },
  })
  expect(connected).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining("The service answers: project 'default'"),
  })
  const { memsvc } = (await Bun.file(join(home, '.cursor/mcp.json')).json()).mcpServers
  const { tools } = await ask(url, memsvc.env.SVC_API_KEY, 'tools/list')
  expect(tools).toBeArrayOfSize(5)
  const listed = run([memsvc.command, ...memsvc.args], {
    env: { ...env, ...memsvc.env },
    stdin: new Blob(['{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n']),
  })
  expect(listed.out).toContain('memsvc_sync_status')
  expect(run([...command, 'status'], { env }).exitCode).toBe(0)
  expect(run([...command, 'status'], { env: { ...env, HOME: join(folder, 'home of nobody') } }).exitCode).toBe(2)
  expect(await stop()).toBe(0)
})

test('a client that npx connects starts a copy, which stays when the cache of npx is emptied', () => {
  const [cache, home] = [join(folder, '_npx'), join(folder, 'home of npx')]
  mkdirSync(home)
  cpSync(join(folder, 'node_modules'), join(cache, '0a1b2c3d/node_modules'), { recursive: true })
  const env = { PATH: process.env.PATH ?? '', HOME: home, SVC_API_KEY: KEY, SVC_ENDPOINT: 'http://127.0.0.1:9' }
  const cached = ['node', join(cache, '0a1b2c3d/node_modules/memsvc/bin/memsvc.js')]
  expect(run([...cached, 'client', 'add', 'gemini', '--hooks', '--yes'], { env }).err).toContain(
    'The settings will name a copy in',
  )
  rmSync(cache, { recursive: true })
  const settings = readFileSync(join(home, '.gemini/settings.json'), 'utf8')
  expect(settings).not.toContain('_npx')
  const { command: program, args } = JSON.parse(settings).mcpServers.memsvc
  const asked = { env, stdin: new Blob(['{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n']) }
  expect(run([program, ...args], asked).out).toContain('memsvc_sync_status')
  const [{ command }] = JSON.parse(settings).hooks.SessionStart[0].hooks
  expect(run(['sh', '-c', command], { env, stdin: new Blob(['{}']) })).toMatchObject({ exitCode: 0, err: '' })
})

test('reads no settings that lie in the folder it is started from', () => {
  writeFileSync(join(folder, '.env'), 'SVC_PORT=not-a-port\n')
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./evil.ts"]\n')
  writeFileSync(join(folder, 'evil.ts'), "console.log('ran')\n")
  const { exitCode, out } = run([...command, 'key', 'list', '--project', 'default'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', SVC_DATA_DIR: join(folder, 'data') },
  })
  expect([exitCode, out.includes('ran')]).toEqual([0, false])
})
