import { expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { commandsBeside } from '../command-line.ts'
import { type Probe, startTwoAccounts, toSecret, withoutNames } from './two-accounts.ts'

type World = Awaited<ReturnType<typeof startTwoAccounts>>
type Ask = (name: string) => Promise<string>

/** An answer to a name of project B that is another than to a name of nobody, or that tells what only B knows. */
type Leak = { asked: string; theirs: string; nobodys: string }

/** Asks the same once with a name of B and once with one of nobody. Answers with what the two have told. */
async function probe(what: string, { theirs, nobodys, what: name, secret }: Probe, ask: Ask): Promise<Leak[]> {
  const answers = [withoutNames(await ask(theirs), theirs), withoutNames(await ask(nobodys), nobodys)]
  const [known = '', unknown = ''] = answers
  const tells = answers.some((answer) => answer.includes(secret))
  return known === unknown && !tells ? [] : [{ asked: `${what}: ${name}`, ...toDifference(known, unknown) }]
}

/** The two answers from a little before where they part. */
function toDifference(theirs: string, nobodys: string): Pick<Leak, 'theirs' | 'nobodys'> {
  const parting = [...theirs].findIndex((character, at) => character !== nobodys[at])
  const cut = (text: string) => text.slice(Math.max(0, parting - 100), parting + 200)
  return { theirs: cut(theirs), nobodys: cut(nobodys) }
}

const everyProbe = ({ ofBeside, ofTheirs }: World) => [...ofBeside, ...ofTheirs]

/** All that is kept of both projects B, and of their account. */
async function readB({ service, beside, theirs, other }: World): Promise<unknown> {
  const { control } = service.store
  const records = await Promise.all(
    [beside, theirs].flatMap(({ id }) =>
      [false, true].map((forgotten) => service.store.project(id).listRecords({ visible: undefined, forgotten })),
    ),
  )
  const kept = await Promise.all([
    control.list('keys', { projectId: beside.id }),
    control.list('keys', { projectId: theirs.id }),
    control.list('members', { accountId: other.id }),
  ])
  const more = await Promise.all([
    control.list('departments', { accountId: other.id }),
    control.listConnections({ projectId: theirs.id }),
  ])
  return { records, kept, more }
}

test('a key of one project gets the same answer to a name of another project as to a name of nobody, whatever tool and argument', async () => {
  const world = await startTwoAccounts()
  const before = await readB(world)
  const leaks: Leak[] = []
  let probes = 0
  for (const [tool, args] of everyToolShape()) {
    for (const { call } of [world.ofOutsider, world.ofOwner]) {
      for (const one of everyProbe(world)) {
        probes += 1
        leaks.push(
          ...(await probe(`${tool} ${JSON.stringify(args('‹›'))}`, one, async (name) => {
            const { isError, text } = await call(tool, args(name))
            return `${isError} ${withoutEarlierWords(text)}`
          })),
        )
      }
    }
  }
  expect(leaks).toEqual([])
  expect(await readB(world)).toEqual(before)
  expect(probes).toBeGreaterThan(1_500)
})

type Shape = [tool: string, args: (name: string) => Record<string, unknown>]

/**
 * Every text argument of every tool, alone and beside others. Saves come last: what they leave is found by those after
 * them.
 */
function everyToolShape(): Shape[] {
  return [
    ['search', (query) => ({ query })],
    ['search', (name) => ({ query: `vault ${name} blue`, limit: 50 })],
    ['search', (name) => ({ query: `"${name}" gate`, exclude_stale: true })],
    ['search', (workspace) => ({ query: 'vault', workspace })],
    ['search', (source_id) => ({ query: 'vault', source_id })],
    ['search', (fact_key) => ({ query: 'vault', fact_key })],
    ['search', (author) => ({ query: '*', author })],
    ['forget', (id) => ({ id })],
    ['forget', (source_id) => ({ source_id })],
    ['forget', (workspace) => ({ source_id: 'a/none', workspace })],
    ['forget', (source_id) => ({ source_id, workspace: source_id, stale: true })],
    ['validate_memory', (source_id) => ({ source_id })],
    ['validate_memory', (source_id) => ({ source_id, source_hash: source_id })],
    ['validate_memory', (source_hash) => ({ source_id: 'a/source', source_hash })],
    ['validate_memory', (workspace) => ({ source_id: 'a/source', workspace })],
    ['gateway_call', (integration) => ({ integration, tool: 'read' })],
    ['gateway_call', (tool) => ({ integration: 'hub', tool })],
    ['remember', (fact_key) => ({ content: 'the gate has a lock', fact_key })],
    ['remember', (source_id) => ({ content: 'the gate has a key', source_id, source_hash: source_id })],
    ['remember', (workspace) => ({ content: 'the gate has a bell', workspace: workspace.slice(0, 64) })],
    ['remember', (name) => ({ content: `the gate is called ${name}` })],
  ]
}

/**
 * What the key itself saved before, which a later save names as similar: `similar` is left out only where it holds
 * nothing else.
 */
const OWN_SAVES =
  /,"similar":\[(?:\{"id":"[^"]*","content":"the gate (?:has|is called) [^"]*","workspace":"[^"]*"(?:,"same_key":true)?\},?)+\]/g

/** A fact key made of the content holds words of it. */
const withoutEarlierWords = (text: string) => text.replaceAll(/"fact_key":"[^"]*"/g, '').replaceAll(OWN_SAVES, '')

/** An owner sees all of their own account, and is a stranger to the other one. */
const STRANGERS = [
  ['a member', 'another project', (world: World) => ({ visit: world.asOutsider, names: world.ofBeside })],
  ['a member', 'another account', (world: World) => ({ visit: world.asOutsider, names: world.ofTheirs })],
  ['an owner', 'another account', (world: World) => ({ visit: world.asOwner, names: world.ofTheirs })],
] as const

test.each(STRANGERS)(
  'pages and forms of the console answer %s as if there were nothing of %s',
  async (_who, _whose, choose) => {
    const world = await startTwoAccounts()
    const before = await readB(world)
    const { visit, names } = choose(world)
    const { get, post } = await visit()
    const leaks: Leak[] = []
    let probes = 0
    for (const [method, path] of everyRoute(world)) {
      for (const one of names) {
        probes += 1
        // Forms are taken only so often in a minute.
        world.pass(60_000)
        leaks.push(
          ...(await probe(`${method} ${path}`, one, async (name) => {
            const filled = fill(path, name)
            const { status, text, place } = method === 'GET' ? await get(filled) : await post(filled, toForm(name))
            return `${status} ${place} ${withoutEchoes(text)}`
          })),
        )
      }
    }
    expect(leaks).toEqual([])
    expect(await readB(world)).toEqual(before)
    expect(probes).toBeGreaterThan(1_500)
  },
)

type Route = [method: string, path: string]

/**
 * Those that end or change the visitor's own session are left out; each other one with a name in each of its places.
 */
function everyRoute({ service, project }: World): Route[] {
  const own = ['/console/me', '/console/sign-out', '/console/sign-in', '/console/enter', '/console/join', '/console/*']
  const routes = createApp(service).routes.filter(
    ({ path }) => path.startsWith('/console') && !own.some((one) => path.startsWith(one)),
  )
  const paths = routes.flatMap(({ method, path }): Route[] => {
    const within = path.replace(':project', project.id)
    return [path, within].filter((one, at, all) => all.indexOf(one) === at).map((one) => [method, one])
  })
  const at = `/console/projects/${project.id}`
  const queries = ['q', 'workspace', 'source', 'author', 'status'].map(
    (name): Route => ['GET', `${at}/records?${name}=:name`],
  )
  return [
    ...paths.filter(([method, path]) => path.includes(':') || method === 'POST'),
    ...queries,
    ['GET', '/console/audit?act=:name'],
  ]
}

const fill = (path: string, name: string) => path.replaceAll(/:[a-z]+/g, encodeURIComponent(name))

/** Every field of every form, with the name in it. */
function toForm(name: string): Record<string, string> {
  const fields =
    'workspace which to department member holder integration project record hash address typed back connection'.split(
      ' ',
    )
  return {
    ...Object.fromEntries(fields.map((field) => [field, name])),
    role: 'member',
    days: '1',
    open: 'yes',
    enabled: 'yes',
  }
}

/**
 * A page tells when something was done and when it was made itself, by the clock that goes on, and for which words of
 * the query it looked.
 */
const withoutEchoes = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\dZ]*/g, '‹time›')
    // A key that was just issued to the visitor.
    .replaceAll(/svc_\w+/g, '‹key›')
    .replaceAll(
      /(<time[^>]*>)[^<]*|(name="as_of" value=")\d+|(Searched all workspaces for: <bdi>)[^<]*|(In no record: <bdi>)[^<]*|(not here:<\/i> <bdi>)[^<]*/g,
      '$1$2$3$4$5',
    )

test('the command line shows and changes nothing of another project than the one that is named', async () => {
  const world = await startTwoAccounts()
  const before = await readB(world)
  const { memsvc } = commandsBeside(world.service)
  const leaks: Leak[] = []
  let probes = 0
  const names = everyProbe(world).filter(({ what }) =>
    /^(shared|draft|forgotten|connection) |(space|source|word)$/.test(what),
  )
  for (const words of everyCommand(world.project.id)) {
    for (const one of names) {
      probes += 1
      leaks.push(
        ...(await probe(words('‹›').join(' '), one, async (name) => {
          const { status, out, err } = await memsvc(...words(name))
          return `${status} ${out} ${err}`
        })),
      )
    }
  }
  for (const words of [
    'export',
    'record list',
    'record list --forgotten',
    'workspace list',
    'key list',
    'connection list',
  ]) {
    const { out } = await memsvc(...words.split(' '), '--project', world.project.id)
    for (const { name } of [world.beside, world.theirs]) expect(out).not.toContain(toSecret(name))
  }
  expect(leaks).toEqual([])
  expect(await readB(world)).toEqual(before)
  expect(probes).toBeGreaterThan(150)
})

/** Commands that name project A, and something else. */
function everyCommand(project: string): ((name: string) => string[])[] {
  const inA = ['--project', project]
  return [
    (id) => ['record', 'show', id, ...inA],
    (id) => ['record', 'restore', id, ...inA],
    (id) => ['record', 'verify', id, ...inA],
    (id) => ['record', 'unverify', id, ...inA],
    (id) => ['record', 'list', '--after', id, ...inA],
    (source) => ['record', 'list', '--source', source, ...inA],
    (workspace) => ['record', 'list', '--workspace', workspace, ...inA],
    (workspace) => ['workspace', 'remove', workspace, ...inA],
    (workspace) => ['export', '--workspace', workspace, ...inA],
    (query) => ['search', query, ...inA],
    (workspace) => ['search', 'vault', '--workspace', workspace, ...inA],
  ]
}
