import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../free-port.ts'
import { type Change, makeFolder, OWN_PROGRAM, openStartedCli, runCommand } from '../../run-cli.ts'
import { startService } from '../../start-service.ts'

const KEY = 'svc_0000000000000000000000000000001QYf5p'
const ENDPOINT = 'https://memory.example'
const [command = '', ...first] = OWN_PROGRAM
const args = [...first, 'agent']

/** A home folder with nobody's clients in it. */
async function openHome(more: Record<string, string> = {}) {
  const home = await makeFolder()
  const environment = { HOME: home, PATH: '', SVC_DATA_DIR: join(home, 'none'), ...more }
  const base = {
    environment,
    clock: { now: () => 0, ticks: () => 0 },
    random: { uuid: () => '', bytes: () => new Uint8Array() },
  }
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(home, file)), { recursive: true })
    await writeFile(join(home, file), text)
  }
  return {
    home,
    put,
    read: (file: string) => readFile(join(home, file), 'utf8'),
    mode: async (file: string) => ((await stat(join(home, file))).mode & 0o777).toString(8),
    memsvc: (words: string[], change: Change = {}) => runCommand(base, ['client', ...words], change),
  }
}

/**
 * A client, a file of it as it may be before, and what stands there for us: with a key in the environment, and with the
 * key itself by HTTP.
 */
type Sample = {
  id: string
  file: string
  before: string
  read: (text: string) => unknown
  agent: object
  http: object | undefined
}

const toEnv = (key: string) => ({ SVC_API_KEY: key, SVC_ENDPOINT: ENDPOINT })
const url = `${ENDPOINT}/mcp`
const headers = { Authorization: `Bearer ${KEY}` }
const JSON_BEFORE = '{\n  // the person\'s own\n  "theme": "dark", // kept\n}\n'
const YAML_BEFORE = "# the person's own\nname: mine # kept\n"
const at =
  (parse: (text: string) => unknown, ...path: (string | number)[]) =>
  (text: string) =>
    path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], parse(text))

const SAMPLES: Sample[] = [
  {
    id: 'claude-code',
    file: '.claude.json',
    before: '{\n  "numStartups": 12\n}\n',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { type: 'stdio', command, args, env: toEnv(`\${SVC_API_KEY}`) },
    http: { type: 'http', url, headers },
  },
  {
    id: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    before: '{}',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv(KEY) },
    http: undefined,
  },
  {
    id: 'cursor',
    file: '.cursor/mcp.json',
    before: '{ "mcpServers": { "other": { "url": "https://other.example" } } }\n',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv(`\${env:SVC_API_KEY}`) },
    http: { url, headers },
  },
  {
    id: 'vscode',
    file: '.config/Code/User/mcp.json',
    before: JSON_BEFORE,
    read: at(Bun.JSONC.parse, 'servers', 'memsvc'),
    agent: { type: 'stdio', command, args, env: toEnv(`\${env:SVC_API_KEY}`) },
    http: { type: 'http', url, headers },
  },
  {
    id: 'codex',
    file: '.codex/config.toml',
    before: '# the person\'s own\nmodel = "x" # kept\n\n[mcp_servers.other]\nurl = "https://other.example"\n',
    read: at(Bun.TOML.parse, 'mcp_servers', 'memsvc'),
    agent: { command, args, env_vars: ['SVC_API_KEY'], env: { SVC_ENDPOINT: ENDPOINT } },
    http: { url, http_headers: headers },
  },
  {
    id: 'gemini',
    file: '.gemini/settings.json',
    before: JSON_BEFORE,
    read: at(Bun.JSONC.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv('$SVC_API_KEY') },
    http: { httpUrl: url, headers },
  },
  {
    id: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    before: '',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv(`\${env:SVC_API_KEY}`) },
    http: { serverUrl: url, url, headers },
  },
  {
    id: 'zed',
    file: '.config/zed/settings.json',
    before: JSON_BEFORE,
    read: at(Bun.JSONC.parse, 'context_servers', 'memsvc'),
    agent: { command, args, env: toEnv(KEY) },
    http: { url, headers },
  },
  {
    id: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    before: JSON_BEFORE,
    read: at(Bun.JSONC.parse, 'mcp', 'memsvc'),
    agent: { type: 'local', command: [command, ...args], environment: toEnv('{env:SVC_API_KEY}'), enabled: true },
    http: { type: 'remote', url, headers, oauth: false, enabled: true },
  },
  {
    id: 'cline',
    file: '.cline/data/settings/cline_mcp_settings.json',
    before: '{\n  "mcpServers": {}\n}\n',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv(KEY), disabled: false },
    http: { type: 'streamableHttp', url, headers, disabled: false },
  },
  {
    id: 'continue',
    file: '.continue/config.yaml',
    before: YAML_BEFORE,
    read: at(Bun.YAML.parse, 'mcpServers', 0),
    agent: { name: 'memsvc', type: 'stdio', command, args, env: toEnv(KEY) },
    http: { name: 'memsvc', type: 'streamable-http', url, requestOptions: { headers } },
  },
  {
    id: 'goose',
    file: '.config/goose/config.yaml',
    before: YAML_BEFORE,
    read: at(Bun.YAML.parse, 'extensions', 'memsvc'),
    agent: { enabled: true, type: 'stdio', name: 'memsvc', cmd: command, args, envs: toEnv(KEY), timeout: 300 },
    http: { enabled: true, type: 'streamable_http', name: 'memsvc', uri: url, headers, timeout: 300 },
  },
  {
    id: 'qwen',
    file: '.qwen/settings.json',
    before: JSON_BEFORE,
    read: at(Bun.JSONC.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv('$SVC_API_KEY'), alwaysLoadTools: true },
    http: { httpUrl: url, headers, alwaysLoadTools: true },
  },
  {
    id: 'copilot',
    file: '.copilot/mcp-config.json',
    before: '{\n  "mcpServers": {}\n}\n',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { type: 'stdio', command, args, env: toEnv(KEY), tools: ['*'] },
    http: { type: 'http', url, headers, tools: ['*'] },
  },
  {
    id: 'jetbrains',
    file: '.junie/mcp/mcp.json',
    before: '{}',
    read: at(JSON.parse, 'mcpServers', 'memsvc'),
    agent: { command, args, env: toEnv(KEY) },
    http: undefined,
  },
]

test.each(SAMPLES)(
  'connects $id through the agent, names the variable where the client reads it, and takes itself out again',
  async (sample) => {
    const { home, memsvc, put, read, mode } = await openHome({ SVC_API_KEY: KEY, SVC_ENDPOINT: ENDPOINT })
    await put(sample.file, sample.before)
    const { status, out, err } = await memsvc(['add', sample.id, '--yes'])
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('backup: ') })
    const text = await read(sample.file)
    expect(sample.read(text)).toEqual(sample.agent)
    expect(out).not.toContain(KEY)
    if (text.includes(KEY))
      expect([await mode(sample.file), out]).toEqual(['600', expect.stringContaining('mode 0600')])
    for (const own of sample.before.split('\n').filter((line) => /own|kept/.test(line))) expect(text).toContain(own)
    expect((await memsvc(['add', sample.id, '--yes'])).err).toContain('needs already. Not yet: ')
    expect((await memsvc(['remove', sample.id, '--yes'])).status).toBe(0)
    // A file in which nothing is left is removed.
    const left = await read(sample.file).catch(() => '')
    expect(left).not.toContain('memsvc')
    for (const own of sample.before.split('\n').filter((line) => /own|kept/.test(line))) expect(left).toContain(own)
    const names = await readdir(home, { recursive: true })
    for (const name of names.filter((one) => one.endsWith('.memsvc-backup')))
      expect(await read(name)).not.toContain(KEY)
  },
)

test.each(SAMPLES.filter(({ http }) => http !== undefined))(
  'connects $id by HTTP, with the key in its own file',
  async (sample) => {
    const { memsvc, put, read, mode } = await openHome({ SVC_ENDPOINT: ENDPOINT })
    await put(sample.file, sample.before)
    expect(await memsvc(['add', sample.id, '--http', '--key-stdin', '--yes'], { input: `${KEY}\n` })).toMatchObject({
      status: 0,
    })
    expect(sample.read(await read(sample.file))).toEqual(sample.http)
    expect(await mode(sample.file)).toBe('600')
  },
)

test('a file that cannot be parsed is left alone, and what belongs there is printed', async () => {
  const { home, memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await put('.cursor/mcp.json', '{ "mcpServers": {')
  const { status, out, err } = await memsvc(['add', 'cursor', '--yes'])
  expect([status, err]).toEqual([1, `memsvc: ${home}/.cursor/mcp.json is left alone: it cannot be read as JSON\n`])
  expect(out).toContain(`"SVC_API_KEY": "\${env:SVC_API_KEY}"`)
  expect(await read('.cursor/mcp.json')).toBe('{ "mcpServers": {')
  expect(await readdir(join(home, '.cursor'))).toEqual(['mcp.json'])
})

test('shows what will change, asks, and writes nothing unless the answer is yes', async () => {
  const { home, memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await put('.cursor/mcp.json', '{}\n')
  for (const change of [{ confirm: async () => false }, {}] satisfies Change[]) {
    const { out } = await memsvc(['add', 'cursor'], change)
    expect(out).toContain(`+++ ${home}/.cursor/mcp.json`)
    expect(await read('.cursor/mcp.json')).toBe('{}\n')
  }
  expect((await memsvc(['add', 'cursor', '--dry-run'])).status).toBe(0)
  expect(await readdir(join(home, '.cursor'))).toEqual(['mcp.json'])
  expect((await memsvc(['add', 'cursor'], { confirm: async () => true })).status).toBe(0)
  expect(await read('.cursor/mcp.json')).toContain('memsvc')
})

test('prints what belongs into the settings without a whole key', async () => {
  const { memsvc, home } = await openHome({ SVC_API_KEY: KEY })
  const { out } = await memsvc(['add', 'zed', '--print'])
  expect(out).toContain('"SVC_API_KEY": "svc_00000000…"')
  expect(await readdir(home)).toEqual([])
})

test('writes where a link leads, and keeps the link', async () => {
  const { home, memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await put('dotfiles/mcp.json', '{}\n')
  await mkdir(join(home, '.cursor'))
  await symlink(join(home, 'dotfiles/mcp.json'), join(home, '.cursor/mcp.json'))
  expect((await memsvc(['add', 'cursor', '--yes'])).status).toBe(0)
  expect((await lstat(join(home, '.cursor/mcp.json'))).isSymbolicLink()).toBeTrue()
  expect(await read('dotfiles/mcp.json')).toContain('memsvc')
})

test('keeps what another program changed meanwhile', async () => {
  const { memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await put('.cursor/mcp.json', '{}\n')
  const confirm = async () => {
    await put('.cursor/mcp.json', '{ "other": 1 }\n')
    return true
  }
  expect(await memsvc(['add', 'cursor'], { confirm })).toMatchObject({ status: 0 })
  expect(JSON.parse(await read('.cursor/mcp.json'))).toMatchObject({ other: 1, mcpServers: { memsvc: { command } } })
})

test('hooks come and go with the entry, beside those of others', async () => {
  const { memsvc, put, read, home } = await openHome({ SVC_API_KEY: KEY })
  const other = { hooks: [{ type: 'command', command: 'say hello' }] }
  await put('.gemini/settings.json', JSON.stringify({ hooks: { SessionStart: [other] } }, null, 2))
  expect((await memsvc(['add', 'gemini', '--hooks', '--yes'])).status).toBe(0)
  expect((await memsvc(['add', 'gemini', '--hooks', 'session-start', '--yes'])).status).toBe(0)
  const { hooks } = JSON.parse(await read('.gemini/settings.json'))
  const ours = (event: string) => ({
    hooks: [
      { type: 'command', command: expect.stringMatching(new RegExp(` hook ${event} --client gemini$`)), timeout: 5000 },
    ],
  })
  expect(hooks).toEqual({ SessionStart: [other, ours('session-start')] })
  expect((await memsvc(['remove', 'gemini', '--yes'])).status).toBe(0)
  expect(JSON.parse(await read('.gemini/settings.json'))).toEqual({ hooks: { SessionStart: [other] } })
  expect((await memsvc(['add', 'claude-code', '--hooks', '--yes'])).status).toBe(0)
  const plugin = '.claude/skills/memsvc'
  expect(JSON.parse(await read(`${plugin}/.claude-plugin/plugin.json`))).toMatchObject({ name: 'memsvc' })
  expect(Object.keys(JSON.parse(await read(`${plugin}/hooks/hooks.json`)).hooks)).toEqual(['SessionStart', 'Stop'])
  expect((await memsvc(['remove', 'claude-code', '--yes'])).status).toBe(0)
  expect(existsSync(join(home, '.claude/skills'))).toBe(false)
})

test('no folder gets a workspace of a name that none can have', async () => {
  const { memsvc } = await openHome({ SVC_API_KEY: KEY, SVC_ENDPOINT: ENDPOINT })
  for (const name of ['.', '..', 'a b', ''])
    expect(await memsvc(['add', 'cursor', '--workspace', name, '--print'])).toMatchObject({
      status: 1,
      err: "memsvc: --workspace must be 1 to 64 letters, digits, '.', '_' or '-', and not '.' or '..'\n",
    })
})

test.each([
  ['was there before', [], true],
  ['holds something else', ['mine.md'], true],
  ['is empty', [], false],
])('a folder of skills that %s is removed with the hooks only if memsvc made it', async (_what, others, isBefore) => {
  const { memsvc, home } = await openHome({ SVC_API_KEY: KEY, SVC_ENDPOINT: ENDPOINT })
  const skills = join(home, '.claude/skills')
  await mkdir(isBefore ? skills : dirname(skills), { recursive: true })
  // Twice, since it is there at the second time.
  for (const hooks of ['session-start', 'session-start,session-end'])
    expect((await memsvc(['add', 'claude-code', '--hooks', hooks, '--yes'])).status).toBe(0)
  for (const name of others) await writeFile(join(skills, name), '')
  expect((await memsvc(['remove', 'claude-code', '--yes'])).status).toBe(0)
  expect(existsSync(skills) && (await readdir(skills))).toEqual(isBefore ? others : false)
})

const OLD = '/old/bun /old/src/main.ts'

test.each([
  ['codex', '.codex/hooks.json'],
  ['gemini', '.gemini/settings.json'],
  ['claude-code', '.claude/skills/memsvc/hooks/hooks.json'],
  ['cursor', '.cursor/hooks.json'],
])('without --hooks, the hooks of %s that are there follow the program, and no others come', async (id, file) => {
  const { memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await memsvc(['add', id, '--hooks', 'session-start', '--yes'])
  const current = await read(file)
  await put(file, current.replace(OWN_PROGRAM.join(' '), OLD))
  const { out } = await memsvc(['add', id, '--yes'])
  expect(out).toContain(OLD)
  expect(await read(file)).toBe(current)
  expect((await memsvc(['add', id, '--yes'])).err).toContain('needs already')
})

test('a backup that held nothing but ours does not stay, and the last client to go names the state folder', async () => {
  const { home, memsvc, put } = await openHome()
  const state = join(home, 'state')
  const environment = { HOME: home, PATH: '', SVC_DATA_DIR: join(home, 'none'), SVC_API_KEY: KEY, SVC_STATE_DIR: state }
  await mkdir(state)
  const run = (...words: string[]) => memsvc([...words, '--yes'], { environment })
  await put('.codex/config.toml', 'model = "x"\n')
  await run('add', 'codex', '--hooks', 'session-start')
  await run('add', 'codex', '--hooks')
  await run('add', 'cursor')
  expect((await run('remove', 'cursor')).out).not.toContain(state)
  expect((await run('remove', 'codex')).out).toEndWith(
    `No client is connected any more. What is left is the agent's state folder, ${state}\n`,
  )
  expect((await readdir(join(home, '.codex'))).filter((name) => name.startsWith('hooks.json'))).toEqual([])
})

test.each([
  [['add', 'netscape'], "'netscape' is no client that is known"],
  [['add'], 'name one client, or give --all'],
  [['add', 'zed', '--hooks'], 'Zed has no hooks'],
  [['add', 'codex', '--hooks', 'lunch'], "'lunch' is not an event"],
  [['add', 'claude-desktop', '--http'], 'starts programs only'],
  [['add', 'cursor'], 'to issue a key from; SVC_DATA_DIR names another folder'],
  [['add', 'cursor'], 'there is no key of http://127.0.0.1:8787: set SVC_API_KEY'],
])('refuses %p', async (words, reason) => {
  const { memsvc, home } = await openHome()
  expect(await memsvc(words)).toEqual({ status: 1, out: '', err: expect.stringContaining(reason) })
  expect(await readdir(home)).toEqual([])
})

test("on the service's machine, one command issues a key and connects", async () => {
  const { folder, run, json } = await openStartedCli()
  const home = await makeFolder()
  // Where nothing listens, as another service would reject the key.
  const environment = { HOME: home, PATH: '', SVC_DATA_DIR: folder, SVC_PORT: `${findFreePort()}` }
  const connect = () => run(['client', 'add', 'cursor', '--yes'], { environment })
  expect((await connect()).out).toContain('Cursor is connected')
  const { SVC_API_KEY } = JSON.parse(await readFile(join(home, '.cursor/mcp.json'), 'utf8')).mcpServers.memsvc.env
  const keys = await json<{ shown: string; label: string; member: string }[]>(['key', 'list', '--project', 'default'])
  expect(keys).toContainEqual(
    expect.objectContaining({ shown: SVC_API_KEY.slice(4, 12), label: 'Cursor', member: 'owner@localhost' }),
  )
  expect((await connect()).err).toContain('has what Cursor needs already. Not yet: ')
  expect(await json<unknown[]>(['key', 'list', '--project', 'default'])).toHaveLength(keys.length)
})

test('where there are several projects, the one of the key is to be named before anything is shown or changed', async () => {
  const { folder, run } = await openStartedCli()
  const home = await makeFolder()
  const environment = { HOME: home, PATH: '', SVC_DATA_DIR: folder }
  await run(['project', 'add', 'website'])
  const refused = await run(['client', 'add', 'cursor', '--yes'], { environment })
  expect(refused).toEqual({
    status: 1,
    out: '',
    err: expect.stringMatching(/^memsvc: name the project of the key with --project: 'default', 'website'\n$/),
  })
  expect(await readdir(home)).toEqual([])
  const named = await run(['client', 'add', 'cursor', '--yes', '--project', 'website'], { environment })
  expect(named.out).toContain('Cursor is connected')
})

test('says whether the service answers to the key', async () => {
  const { url, secret } = await startService()
  const { memsvc } = await openHome({ SVC_ENDPOINT: url })
  expect((await memsvc(['add', 'cursor', '--key-stdin', '--yes'], { input: secret })).out).toEndWith(
    "The service answers: project 'default'.\n",
  )
  expect((await memsvc(['add', 'cursor', '--key-stdin', '--yes'], { input: KEY })).out).toContain(
    'Not yet: The API key was rejected',
  )
})

test('with --all, what one client refuses keeps none of the others from it', async () => {
  const { home, memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  expect(await memsvc(['add', '--all', '--yes'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('no known client is installed'),
  })
  await put('.cursor/mcp.json', '{')
  await put('.config/zed/settings.json', '{}')
  await put('.gemini/settings.json', '{}')
  const { status, err } = await memsvc(['add', '--all', '--hooks', '--yes'])
  expect([status, err]).toEqual([1, expect.stringContaining(`${home}/.cursor/mcp.json is left alone`)])
  expect([await read('.config/zed/settings.json'), await read('.gemini/settings.json')]).toSatisfy((texts: string[]) =>
    texts.every((text) => text.includes('memsvc')),
  )
  expect((await memsvc(['remove', '--all', '--yes'])).out).not.toContain('Codex')
  expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false)
})

test("a client's own command is not run, and one whose file cannot be written keeps none of the others from it", async () => {
  const { home, memsvc, put, read } = await openHome({ SVC_API_KEY: KEY })
  await put('bin/gemini', `#!/bin/sh\necho "$@" >> ${home}/started\n`)
  await chmod(join(home, 'bin/gemini'), 0o755)
  await put('.cursor', 'a file in the place of the folder')
  const environment = { HOME: home, PATH: join(home, 'bin'), SVC_DATA_DIR: join(home, 'none'), SVC_API_KEY: KEY }
  const { status, out, err } = await memsvc(['add', '--all', '--yes'], { environment })
  expect([status, err]).toEqual([1, expect.stringContaining(`${home}/.cursor/mcp.json cannot be changed (`)])
  expect(out).toContain('Gemini CLI is connected')
  expect(await read('.gemini/settings.json')).toContain('memsvc')
  expect(existsSync(join(home, 'started'))).toBeFalse()
})

test('lists what is installed and how it is connected', async () => {
  const { memsvc, put } = await openHome()
  await put('.cursor/mcp.json', '{ "mcpServers": { "memsvc": { "url": "https://memory.example/mcp" } } }')
  await put('.config/zed/settings.json', '{')
  const listed = JSON.parse((await memsvc(['list', '--json'])).out) as {
    id: string
    installed: string | null
    connected: string
  }[]
  const shown = Object.fromEntries(listed.map(({ id, installed, connected }) => [id, [installed !== null, connected]]))
  expect(shown).toMatchObject({ cursor: [true, 'http'], zed: [true, 'unreadable'], goose: [false, 'no'] })
})

test('started by npx, it copies itself out of the cache before it is named in settings, or says that the cache is named', async () => {
  const { home, put, read } = await openHome()
  const cached = join(home, '.npm/_npx/0a1b2c3d/node_modules/bun/bin/bun')
  await mkdir(dirname(cached), { recursive: true })
  await cp(process.execPath, cached)
  const main = join(import.meta.dir, '../../../src/main.ts')
  const env = {
    HOME: home,
    PATH: '',
    SVC_DATA_DIR: join(home, 'none'),
    SVC_API_KEY: KEY,
    SVC_ENDPOINT: `http://127.0.0.1:${findFreePort()}`,
  }
  const run = (program: string, ...words: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([program, main, ...words], { env })
    return { exitCode, out: stdout.toString(), err: stderr.toString() }
  }
  const add = (...words: string[]) => run(cached, 'client', 'add', 'cursor', ...words)
  const entry = async () => JSON.parse(await read('.cursor/mcp.json')).mcpServers.memsvc
  const folder = join(home, '.local/state/memsvc/program')
  const kept = join(folder, `bun-${Bun.version}/bun`)
  expect(add('--dry-run')).toMatchObject({
    exitCode: 0,
    err: expect.stringMatching(
      new RegExp(`The settings will name a copy in ${folder}; .* also name ${main}, so this checkout must stay`),
    ),
  })
  expect(existsSync(folder)).toBe(false)
  expect(add('--yes').exitCode).toBe(0)
  expect(await entry()).toMatchObject({ command: kept, args: [main, 'agent'] })
  expect(run(kept, 'doctor').out).not.toContain('in a cache')
  await rm(folder, { recursive: true })
  expect(add('--yes').err).toContain('needs already')
  expect(add('--yes', '--no-copy').err).toContain(
    `started by npx, from a cache that may be emptied at any time (${cached}). The settings will`,
  )
  expect(await entry()).toMatchObject({ command: cached })
  expect(run(kept, 'doctor').out).toContain(`starts ${cached}, in a cache that may be emptied at any time`)
  await rm(join(home, '.npm'), { recursive: true })
  expect(run(kept, '--version')).toMatchObject({ exitCode: 0 })
  await put('.cursor/mcp.json', '{}')
  expect(run(kept, 'client', 'add', 'cursor', '--yes').err).not.toContain('npx')
})
