import { expect, onTestFinished, test } from 'bun:test'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Check } from '../../src/agent/doctor/check.ts'
import { isRoot } from '../is-root.ts'
import { makeFolder, OWN_PROGRAM, runCommand } from '../run-cli.ts'
import { startService } from '../start-service.ts'
import { embeddedTest } from '../stored-data.ts'

/** A person's machine beside a running service, which is on another one. */
async function openMachine() {
  const service = await startService()
  const home = await makeFolder()
  const state = join(home, 'state')
  await mkdir(state, { mode: 0o700 })
  // Without SVC_DATA_DIR, data would be in ./data.
  const folder = process.cwd()
  process.chdir(home)
  onTestFinished(() => process.chdir(folder))
  const environment: Record<string, string> = {
    HOME: home,
    PATH: '',
    SVC_STATE_DIR: state,
    SVC_API_KEY: service.secret,
    SVC_ENDPOINT: service.url,
  }
  const { clock, random } = service.service
  const put = async (file: string, text: string, mode = 0o600) => {
    await mkdir(dirname(join(home, file)), { recursive: true })
    await writeFile(join(home, file), text, { mode })
  }
  const doctor = async (change: Record<string, string> = {}, now = clock.now) => {
    const base = { environment: { ...environment, ...change }, clock: { ...clock, now }, random }
    const { status, out } = await runCommand(base, ['doctor', '--json'])
    const checks = JSON.parse(out) as Check[]
    const find = (name: string) => checks.filter((check) => check.name === name)
    return { status, checks, find }
  }
  return { ...service, state, environment, put, doctor }
}

test('a machine that is well connected has no problem', async () => {
  const { doctor } = await openMachine()
  const { status, checks } = await doctor()
  expect(status).toBe(0)
  expect(
    checks.filter(({ name }) => name !== 'versions').map(({ side, name, state }) => `${side} ${name} ${state}`),
  ).toEqual([
    ...['service', 'key', 'clock', 'subscription', 'protocol', 'state folder', 'histories', 'clients'].map(
      (name) => `client ${name} ok`,
    ),
    'service data folder ok',
  ])
  expect(checks.at(-1)?.detail).toBe(`none in ${join(process.cwd(), 'data')}; SVC_DATA_DIR names another`)
})

test.each([
  ['no key', { SVC_API_KEY: '' }, 'key', 'warning', 'SVC_API_KEY is not set here'],
  ['half a key', { SVC_API_KEY: 'svc_abc' }, 'key', 'problem', 'is cut off'],
  [
    'a key of another service',
    { SVC_API_KEY: 'svc_0000000000000000000000000000001QYf5p' },
    'key',
    'problem',
    'was rejected',
  ],
  ['a service that is down', { SVC_ENDPOINT: 'http://127.0.0.1:9' }, 'service', 'problem', 'cannot be reached'],
  [
    'an address in the clear',
    { SVC_ENDPOINT: 'http://memory.example' },
    'settings',
    'problem',
    'must begin with https://',
  ],
])('names %s, and what to do', async (_, change, name, state, detail) => {
  const { doctor } = await openMachine()
  const { status, find } = await doctor(change)
  expect(find(name)).toEqual([
    { side: 'client', name, state, detail: expect.stringContaining(detail), advice: expect.any(String) },
  ] as Check[])
  expect(status).toBe(state === 'problem' ? 1 : 0)
})

test('warns of a clock that is wrong, and of a folder that others can read', async () => {
  const { doctor, service, state } = await openMachine()
  await chmod(state, 0o755)
  const { status, find } = await doctor({}, () => service.clock.now() + 3_600_000)
  expect([status, find('clock')[0]?.detail, find('state folder')[0]?.advice]).toEqual([
    0,
    'differs by 3600 s from that of the service',
    `chmod 700 ${state}`,
  ])
})

test('looks at each client: its program, its file, its key, and whether the service stands there twice', async () => {
  const { doctor, put, secret, url } = await openMachine()
  const entry = { command: OWN_PROGRAM[0], args: ['agent'], env: { SVC_API_KEY: secret, SVC_ENDPOINT: url } }
  await put(
    '.cursor/mcp.json',
    JSON.stringify({
      mcpServers: { memsvc: entry, memory: { url: `${url}/mcp` }, other: { url: 'https://other.example/mcp' } },
    }),
    0o644,
  )
  await put('.gemini/settings.json', JSON.stringify({ mcpServers: { memsvc: { ...entry, command: '/gone/memsvc' } } }))
  const folder = { mcpServers: { memsvc: entry } }
  await put(
    '.claude.json',
    JSON.stringify({ mcpServers: { memsvc: entry }, projects: { '/work/shop': folder, '/work/other': {} } }),
  )
  await put('.codex/config.toml', '[mcp_servers.memsvc\n')
  await put(
    '.config/zed/settings.json',
    JSON.stringify({
      context_servers: {
        memsvc: { ...entry, env: { ...entry.env, SVC_API_KEY: 'svc_0000000000000000000000000000001QYf5p' } },
      },
    }),
  )
  const { status, find } = await doctor()
  expect(status).toBe(1)
  const shown = (name: string) => find(name).map(({ state, detail }) => `${state}: ${detail}`)
  expect(shown('Cursor')).toEqual([
    expect.stringContaining('warning: others can read the key in '),
    expect.stringContaining("as 'memory', so every tool is listed twice"),
    expect.stringContaining('ok: connected through the agent; svc_'),
  ] as string[])
  expect(shown('Claude Code')[0]).toBe('warning: in /work/shop another entry overrides it')
  expect(shown('Gemini CLI')[0]).toBe('problem: starts /gone/memsvc, which does not exist')
  expect(shown('Codex')).toEqual([expect.stringContaining('problem: ')] as string[])
  expect(shown('Zed')).toEqual([
    expect.stringContaining('problem: connected through the agent; The API key was rejected'),
  ] as string[])
})

embeddedTest('a data folder on this machine')('where the data is, looks at the service as well', async () => {
  const { doctor, service } = await openMachine()
  const { find, checks } = await doctor({ SVC_DATA_DIR: service.config.dataDir, SVC_PORT: '9' })
  expect(find('running')[0]).toMatchObject({ side: 'service', state: 'warning', advice: "'memsvc serve'" })
  expect(find("project 'default'")[0]).toMatchObject({ state: 'ok', detail: '0 records' })
  expect(checks.map(({ name }) => name)).toContain('disk')
})

test.each(['none', ''])(
  'a data folder that is named and holds no data is a problem, not a machine without a service (%p)',
  async (name) => {
    const { doctor, environment } = await openMachine()
    const folder = join(environment.HOME ?? '', name)
    const { status, checks } = await doctor({ SVC_DATA_DIR: folder })
    expect(status).toBe(1)
    expect(checks.filter(({ side }) => side === 'service')).toEqual([
      {
        side: 'service',
        name: 'data folder',
        state: 'problem',
        detail: `there is no data in ${folder.replace(/\/$/, '')}`,
        advice: "correct SVC_DATA_DIR, or mount the folder; 'memsvc serve' begins a new service in an empty one",
      },
    ])
  },
)

// A mount of its own needs the rights of root.
embeddedTest('a data folder on this machine', isRoot)(
  'says that nothing can be saved in a data folder that is read-only',
  async () => {
    const { doctor, service } = await openMachine()
    const { dataDir } = service.config
    const mount = (...args: string[]) => expect(Bun.spawnSync(['mount', ...args, dataDir]).exitCode).toBe(0)
    mount('--bind', dataDir)
    try {
      mount('-o', 'remount,bind,ro')
      const { find, status } = await doctor({ SVC_DATA_DIR: dataDir, SVC_PORT: '9' })
      expect(find('data folder')[0]).toMatchObject({
        state: 'problem',
        detail: `nothing can be saved in ${dataDir}: the data folder is read-only`,
      })
      expect(status).toBe(1)
    } finally {
      Bun.spawnSync(['umount', '-l', dataDir])
    }
  },
)

test('names hooks whose program is gone, in the files of each client that has hooks', async () => {
  const { doctor, put, environment } = await openMachine()
  const toHooks = (client: string, program: string) => ({
    hooks: {
      SessionStart: [{ hooks: [{ type: 'command', command: `${program} hook session-start --client ${client}` }] }],
    },
  })
  await put('.claude/skills/memsvc/hooks/hooks.json', JSON.stringify(toHooks('claude-code', '/gone/memsvc')))
  await put('.codex/hooks.json', JSON.stringify(toHooks('codex', `"/gone too/memsvc"`)))
  await put('.gemini/settings.json', JSON.stringify(toHooks('gemini', OWN_PROGRAM[0] ?? '')))
  await put('.cursor/hooks.json', '{ broken')
  const { status, checks } = await doctor({ PWD: environment.HOME ?? '' })
  expect(status).toBe(1)
  expect(
    checks
      .filter(({ name }) => ['Claude Code', 'Codex', 'Gemini CLI', 'Cursor'].includes(name))
      .map(({ detail, advice }) => [detail, advice]),
  ).toEqual([
    [
      `a hook in ${environment.HOME}/.claude/skills/memsvc/hooks/hooks.json starts /gone/memsvc, which does not exist`,
      "'memsvc client add claude-code --hooks'",
    ],
    [
      `a hook in ${environment.HOME}/.codex/hooks.json starts /gone too/memsvc, which does not exist`,
      "'memsvc client add codex --hooks'",
    ],
    [expect.stringContaining('/.cursor/hooks.json: '), expect.any(String)],
  ])
})

test('looks at the servers that a folder shares, and at those of the folders above it', async () => {
  const { doctor, put, environment, secret } = await openMachine()
  const entry = { command: '/gone/memsvc', args: ['agent'], env: { SVC_API_KEY: secret } }
  await put('work/.mcp.json', JSON.stringify({ mcpServers: { memory: entry, other: { command: '/gone/other' } } }))
  await put(
    'work/app/.mcp.json',
    JSON.stringify({ mcpServers: { memsvc: { command: 'memsvc', env: { SVC_API_KEY: '$' + '{SVC_API_KEY}' } } } }),
  )
  const { find } = await doctor({ PWD: join(environment.HOME ?? '', 'work/app') })
  expect(find('Claude Code').map(({ state, detail }) => [state, detail])).toEqual([
    ['problem', `${environment.HOME}/work/.mcp.json starts /gone/memsvc, which does not exist`],
    ['warning', `a key is in ${environment.HOME}/work/.mcp.json, which everybody who has the folder can read`],
  ])
})

test('names a file that cannot be read, and goes on', async () => {
  const { doctor, environment } = await openMachine()
  const files = ['.codex/hooks.json', 'work/.mcp.json'].map((file) => join(environment.HOME ?? '', file))
  for (const file of files) await mkdir(file, { recursive: true })
  const { status, find } = await doctor({ PWD: join(environment.HOME ?? '', 'work') })
  expect(status).toBe(1)
  expect([...find('Codex'), ...find('Claude Code')].map(({ state, detail }) => [state, detail])).toEqual(
    files.map((file) => ['problem', `${file} cannot be read (EISDIR)`]),
  )
})
