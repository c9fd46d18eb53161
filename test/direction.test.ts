import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../src')

/**
 * The rooms of the code from the lowest up. A file imports its own room and those of lower rows; rooms of one row do
 * not import each other, those of the lowest may.
 */
const ROWS = [
  [
    'errors',
    'config',
    'log',
    'jsonrpc',
    'arguments',
    'cache',
    'clock',
    'cooperative',
    'edit-distance',
    'loopback',
    'mcp-clients',
    'metrics',
    'outbound',
    'portable-schema',
    'protocol-versions',
    'semaphore',
    'serve-address',
    'tracing',
    'version',
    'version.macro',
    'whole-file',
  ],
  ['text', 'transcripts'],
  ['secrets'],
  ['guard'],
  ['store'],
  ['account'],
  ['memory', 'gateway', 'oauth', 'history'],
  ['maintenance'],
  ['service'],
  ['mcp'],
  ['tools'],
  ['http'],
  ['console'],
  ['app'],
  ['agent'],
  ['commands'],
  ['main'],
]

/** The agent runs on a person's machine, without the service. */
const AGENT_MAY_IMPORT = [
  'errors',
  'log',
  'jsonrpc',
  'cache',
  'clock',
  'cooperative',
  'loopback',
  'mcp-clients',
  'protocol-versions',
  'semaphore',
  'version',
  'secrets',
  'text',
  'transcripts',
  'whole-file',
]

/**
 * Rooms that stay unloaded until a command of the service is run: the agent, and the commands beside it, are to start
 * at once and stay small.
 */
const SERVICE_ROOMS = [
  'guard',
  'store',
  'account',
  'memory',
  'gateway',
  'oauth',
  'maintenance',
  'service',
  'mcp',
  'tools',
  'console',
  'http',
  'app',
]

/** Libraries, and the files that may import them. */
const ONLY_IN: Record<string, RegExp> = {
  elysia: /^(app\.ts|http\/|console\/|mcp\/tool\.ts|tools\/)/,
  'drizzle-orm': /^store\//,
  'prom-client': /^metrics\//,
  '@opentelemetry/api': /^tracing\//,
  'bun:sqlite': /^(store|agent\/histories)\//,
}

/** One file imports another, as a type or a value; both as paths below `src/`, a library by its name. */
type Import = { from: string; to: string }

const files = [...new Bun.Glob('**/*.ts').scanSync(SRC)].sort()
const imports = (await Promise.all(files.map(readImports))).flat()

async function readImports(file: string): Promise<Import[]> {
  const source = await Bun.file(join(SRC, file)).text()
  const paths = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path]) => path ?? '')
  return paths.map((path) => ({
    from: file,
    to: path.startsWith('.') ? relative(SRC, join(SRC, dirname(file), path)) : path,
  }))
}

const isOwn = ({ to }: Import) => to.endsWith('.ts') && !to.startsWith('.')
/** The first part of a path: the folder, or the file without its ending. */
const roomOf = (path: string) => (path.split('/')[0] ?? '').replace(/\.ts$/, '')
const rowOf = (path: string) => ROWS.findIndex((row) => row.includes(roomOf(path)))

const findUpward = (all: Import[]) =>
  all.filter(isOwn).filter(({ from, to }) => {
    if (roomOf(from) === roomOf(to)) return false
    return rowOf(from) === 0 ? rowOf(to) > 0 : rowOf(to) >= rowOf(from)
  })

const findForbiddenToAgent = (all: Import[]) =>
  all
    .filter(isOwn)
    .filter(({ from, to }) => roomOf(from) === 'agent' && ![...AGENT_MAY_IMPORT, 'agent'].includes(roomOf(to)))

/** The files that are loaded with a file, itself included: what it imports as a value and not by `import(…)`. */
async function findLoaded(first: string): Promise<string[]> {
  const loaded = new Set<string>()
  const waiting = [first]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loaded.has(next)) continue
    loaded.add(next)
    const source = (await Bun.file(join(SRC, next)).text()).replace(/^import type .*$/gm, '')
    const paths = [...source.matchAll(/^(?:import|export|\}) (?:.* )?from '(\.[^']+\.ts)'/gm)].map(
      ([, path]) => path ?? '',
    )
    waiting.push(...paths.map((path) => relative(SRC, join(SRC, dirname(next), path))))
  }
  return [...loaded].sort()
}

const findEngineImports = (all: Import[]) =>
  all.filter(({ from, to }) => /^store\/\w+\//.test(to) && roomOf(from) !== 'store')

/** The groups of files each of which imports, over however many others, each other of its group. */
function findCycles(all: Import[]): string[][] {
  const targets = Map.groupBy(all.filter(isOwn), ({ from }) => from)
  const reached = new Map([...targets.keys()].map((file) => [file, reach(file)]))
  const isInCycle = (file: string) => reached.get(file)?.has(file) === true
  const cycles = [...reached.keys()]
    .filter(isInCycle)
    .map((file) => [...(reached.get(file) ?? [])].filter((to) => reached.get(to)?.has(file)))
  return [...new Map(cycles.map((cycle) => [cycle.sort().join(), cycle])).values()].sort()

  function reach(file: string): Set<string> {
    const seen = new Set<string>()
    const waiting = [file]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { to } of targets.get(next) ?? []) {
        if (!seen.has(to)) waiting.push(to)
        seen.add(to)
      }
    }
    return seen
  }
}

test('every room has its row', () => {
  expect(files.filter((file) => rowOf(file) < 0)).toEqual([])
})

test('no import goes up, and rooms of one row do not import each other', () => {
  expect(findUpward(imports)).toEqual([])
  const wrong = [
    { from: 'guard/inspect.ts', to: 'store/store.ts' },
    { from: 'memory/visibility.ts', to: 'gateway/gateway.ts' },
    { from: 'errors.ts', to: 'text/stem.ts' },
  ]
  expect(findUpward([...wrong, { from: 'guard/inspect.ts', to: 'text/stem.ts' }])).toEqual(wrong)
})

test('the agent imports nothing of the service', () => {
  expect(findForbiddenToAgent(imports)).toEqual([])
  const wrong = [{ from: 'agent/relay.ts', to: 'store/store.ts' }]
  expect(findForbiddenToAgent([...wrong, { from: 'agent/relay.ts', to: 'jsonrpc.ts' }])).toEqual(wrong)
})

test("what runs on a person's machine loads nothing of the service", async () => {
  const local = [...(await Bun.file(join(SRC, 'commands/local.ts')).text()).matchAll(/import\('\.\/([^']+)'\)/g)]
  const commands = local.map(([, path]) => `commands/${path}`)
  const loaded = (await Promise.all(['main.ts', ...commands].map(findLoaded))).flat()
  expect(loaded).toContain('agent/service-client.ts')
  expect(loaded.filter((file) => SERVICE_ROOMS.includes(roomOf(file)))).toEqual([])
  expect((await findLoaded('commands/serve/serve.ts')).filter((file) => roomOf(file) === 'store')).not.toBeEmpty()
})

test("the relay of the agent loads neither what reads clients' settings nor what searches for credentials", async () => {
  const loaded = await findLoaded('commands/agent.ts')
  expect(loaded).toContain('agent/histories/sync/supervisor.ts')
  const isHeavy = (file: string) => /^agent\/clients\/|^secrets\/(?:detector\/|redact|credentials)/.test(file)
  expect(loaded.filter(isHeavy)).toEqual([])
  expect((await findLoaded('agent/histories/sync/worker/main.ts')).filter(isHeavy)).toContain('secrets/redact.ts')
  expect((await findLoaded('agent/clients/registration.ts')).filter(isHeavy)).toContain('agent/clients/clients.ts')
})

test('no files import each other in a cycle, type-only imports included', () => {
  expect(findCycles(imports)).toEqual([])
  const made = [
    'a/1.ts a/2.ts',
    'a/2.ts a/3.ts',
    'a/3.ts a/1.ts',
    'a/3.ts b.ts',
    'b.ts c.ts',
    'c.ts b.ts',
    'c.ts d.ts',
  ].map((line) => {
    const [from = '', to = ''] = line.split(' ')
    return { from, to }
  })
  expect(findCycles(made)).toEqual([
    ['a/1.ts', 'a/2.ts', 'a/3.ts'],
    ['b.ts', 'c.ts'],
  ])
})

test('nothing outside the store imports an engine', () => {
  expect(findEngineImports(imports)).toEqual([])
  const wrong = [{ from: 'memory/visibility.ts', to: 'store/sqlite/file.ts' }]
  expect(findEngineImports([...wrong, { from: 'memory/visibility.ts', to: 'store/store.ts' }])).toEqual(wrong)
})

test.each(Object.entries(ONLY_IN))('%s is imported only where it belongs', (library, allowed) => {
  const users = imports.filter(({ to }) => to === library || to.startsWith(`${library}/`)).map(({ from }) => from)
  expect(users).not.toBeEmpty()
  expect(users.filter((file) => !allowed.test(file))).toEqual([])
})
