import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../src')

/** The house from its cellar up. A file imports its own folder and anything lower; those of one row do not know each other. */
const ROWS = [
  ['errors', 'config', 'log', 'jsonrpc', 'arguments', 'cache', 'clock', 'cooperative', 'outbound', 'soon', 'version'],
  ['text'],
  ['secrets'],
  ['guard'],
  ['store'],
  ['account'],
  ['memory', 'gateway', 'history', 'oauth'],
  ['service'],
  ['mcp'],
  ['upstream-worker'],
  ['tools'],
  ['console'],
  ['http'],
  ['app'],
  ['agent'],
  ['commands'],
  ['main'],
]

/** Who may use what is somebody's own business. */
const ONLY_IN: Record<string, RegExp> = {
  elysia: /^(app\.ts|http\/|mcp\/tool\.ts|tools\/index\.ts)/,
  'drizzle-orm': /^store\//,
  'bun:sqlite': /^store\//,
}

const AGENT_MAY_USE = ['errors', 'config', 'jsonrpc', 'log', 'version', 'agent']

type Import = { from: string; to: string }

const files = [...new Bun.Glob('**/*.ts').scanSync(SRC)].sort()
const imports = (await Promise.all(files.map(importsOf))).flat()

async function importsOf(file: string): Promise<Import[]> {
  const source = await Bun.file(join(SRC, file)).text()
  const paths = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, path]) => path ?? '')
  return paths.map((path) => ({ from: file, to: path.startsWith('.') ? relative(SRC, join(SRC, dirname(file), path)) : path }))
}

const isOwn = (path: string) => path.endsWith('.ts') && !path.startsWith('.')
/** The first word of a path: the folder, or the file without its ending. */
const partOf = (path: string) => (path.split('/')[0] ?? '').replace(/\.ts$/, '')
const rowOf = (part: string) => ROWS.findIndex((row) => row.includes(part))
const own = imports.filter(({ to }) => isOwn(to))

test('every part of the house has its row', () => {
  expect([...new Set(files.map(partOf))].filter((part) => rowOf(part) < 0)).toEqual([])
})

test('no import goes up, and neighbours do not know each other', () => {
  const wrong = own.filter(({ from, to }) => {
    const [a, b] = [partOf(from), partOf(to)]
    return a !== b && rowOf(b) >= rowOf(a) && rowOf(a) > 0
  })
  expect(wrong).toEqual([])
})

test('the cellar uses nothing but itself', () => {
  expect(own.filter(({ from, to }) => rowOf(partOf(from)) === 0 && rowOf(partOf(to)) > 0)).toEqual([])
})

test('the agent knows nothing of the service', () => {
  expect(own.filter(({ from, to }) => partOf(from) === 'agent' && !AGENT_MAY_USE.includes(partOf(to)))).toEqual([])
})

test.each(Object.keys(ONLY_IN))('%s is imported only where it belongs', (library) => {
  const users = imports.filter(({ to }) => to === library || to.startsWith(`${library}/`)).map(({ from }) => from)
  expect(users.length).toBeGreaterThan(0)
  expect(users.filter((file) => !ONLY_IN[library]?.test(file))).toEqual([])
})
