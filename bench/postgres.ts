import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SQL } from 'bun'
import { COMMAND_LINE } from '../src/account/auth/actor.ts'
import { addProject } from '../src/account/organizations/project.ts'
import { rememberRecord } from '../src/memory/records/save/remember.ts'
import { searchMemory } from '../src/memory/search/search.ts'
import { openCorpus } from './corpus.ts'
import { fill, fillPlain, searchPlain } from './postgres/dataset.ts'
import { startServer } from './postgres/server.ts'
import { openOn } from './postgres/service.ts'

// PostgreSQL beside the embedded engine and beside PostgreSQL's own text search, on one machine with the server on it:
// `bun bench/postgres.ts [--cache FOLDER] [--sizes 10000,100000] [--asked 200] [--only search|saves|instances]`. A size
// is a number of records, and after a slash of the projects that they are in: `--sizes 1000000,1000000/1000`. Data sets
// are made once and stay in the folder; a million records take some minutes.

const { values } = parseArgs({
  options: {
    cache: { type: 'string', default: '/tmp/memsvc-bench-postgres' },
    sizes: { type: 'string', default: '10000,100000' },
    asked: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
})

/** Questions asked of one engine before the next, and those before them that are not measured. */
const QUESTIONS_PER_ROUND = 25
const WARM_UP_QUESTIONS = 300
/** Questions of each of many projects after its first one. */
const LATER_QUESTIONS = 3
const CLIENTS = 64
const SAVES_MS = 5_000
const SAVES_ROUNDS = 3
const INSTANCES_S = 6
/** The largest number of records that the embedded engine is filled with for comparison. */
const MAX_EMBEDDED = 100_000

type Engine = {
  name: string
  search: (question: string, project?: string) => Promise<number>
  times: number[]
  found: number
}

const server = await startServer(values.cache)
const wanted = (part: string) => values.only === undefined || values.only === part
try {
  const sets = values.sizes.split(',').map((set) => {
    const [size, projects = 1] = set.split('/').map(Number)
    return { size: size ?? 0, projects }
  })
  if (wanted('search')) for (const { size, projects } of sets) await measureSearch(size, projects)
  if (wanted('saves')) await measureSaves()
  if (wanted('instances')) await measureInstances(Math.min(100_000, Math.max(...sets.map(({ size }) => size))))
} finally {
  await server.stop()
}

/** A service on the data set of this size, which is made where it is not there whole, and the database it is in. */
async function openDataset(size: number, projects: number) {
  const name = `records_${size}_in_${projects}`
  let { url, isNew } = await server.database(name)
  await using filled = new SQL({ url, max: 1 })
  if (!isNew && (await filled.unsafe("select to_regclass('filled') as there"))[0]?.there === null) {
    await filled.close()
    await server.drop(name)
    ;({ url, isNew } = await server.database(name))
  }
  const opened = await openOn(url)
  if (isNew) await makeDataset(opened, { url, name, size, projects })
  const ids = (await opened.service.store.control.list('projects', { accountId: opened.first.account.id })).map(
    ({ id }) => id,
  )
  return { ...opened, url, ids }
}

type Wanted = { url: string; name: string; size: number; projects: number }

async function makeDataset(
  { service, first }: Awaited<ReturnType<typeof openOn>>,
  { url, name, size, projects }: Wanted,
): Promise<void> {
  console.error(`making ${name}`)
  const started = performance.now()
  const { texts } = await fill(service, first, size, projects, url)
  console.error(`  made in ${Math.round((performance.now() - started) / 1_000)} s`)
  await fillPlain(url, texts)
  await using client = new SQL({ url, max: 1 })
  await client.unsafe('vacuum analyze')
  await client.unsafe('create table filled ()')
}

async function measureSearch(size: number, projects: number): Promise<void> {
  const { service, callerOf, first, url, ids, close } = await openDataset(size, projects)
  const [client, planning] = [new SQL({ url, max: 1 }), new SQL({ url, max: 1 })]
  // Prepared, it is planned for any project after five times: of many projects by an index over the words of all.
  await planning.unsafe('set plan_cache_mode = force_custom_plan')
  let turn = 0
  const nextProject = () => ids[turn++ % ids.length] ?? first.projectId
  const engine = (name: string, search: Engine['search']): Engine => ({ name, search, times: [], found: 0 })
  const engines = [
    engine(
      'memsvc on PostgreSQL',
      async (query, project = nextProject()) =>
        (await searchMemory(service, callerOf(project), { query })).result.length,
    ),
    engine("PostgreSQL's own, OR", (query, project = nextProject()) => searchPlain(client, project, query)),
    engine('  planned each time', (query, project = nextProject()) => searchPlain(planning, project, query)),
  ]
  const embedded = size <= MAX_EMBEDDED && projects === 1 ? await openEmbedded(size) : undefined
  if (embedded !== undefined) engines.push(engine('memsvc embedded', embedded.search))
  await server.settle()
  const { questions } = openCorpus([], [])
  if (projects > 1) return measureProjects(engines, ids, questions).finally(close)
  await askInTurn(engines, questions)
  console.log(
    `\nsearch, ${size} records in ${projects} project${projects === 1 ? '' : 's'}\nengine                  p50 ms   p99 ms  found`,
  )
  for (const { name, times, found } of engines)
    console.log(name.padEnd(21), share(times, 0.5), share(times, 0.99), (found / times.length).toFixed(1).padStart(6))
  await Promise.all([client.close(), planning.close()])
  await embedded?.close()
  await close()
}

/**
 * Of many projects the first question and later ones, each asked of every engine in turn. Each engine is the first one
 * in as many projects: it reads pages of the database that the next one then finds in memory.
 */
async function measureProjects(engines: Engine[], ids: string[], questions: string[]): Promise<void> {
  const later = engines.map(() => [] as number[])
  const numbered = engines.map((engine, at) => ({ ...engine, at }))
  for (let round = 0; round <= LATER_QUESTIONS; round++)
    for (let project = 0; project < ids.length; project++)
      for (const { search, times, at } of toRotated(numbered, project)) {
        const started = performance.now()
        await search(questions[(round * ids.length + project) % questions.length] ?? '', ids[project])
        ;(round === 0 ? times : later[at])?.push(performance.now() - started)
      }
  console.log(`\n${ids.length} projects\nengine                 first p50      p99  later p50      p99 ms`)
  for (const [at, { name, times }] of engines.entries())
    console.log(name.padEnd(22), ...[times, later[at] ?? []].flatMap((of) => [share(of, 0.5), share(of, 0.99)]))
}

function toRotated<One>(all: One[], by: number): One[] {
  return [...all.slice(by % all.length), ...all.slice(0, by % all.length)]
}

async function openEmbedded(size: number) {
  const { service, first, callerOf, close } = await openOn(undefined)
  await fill(service, first, size, 1)
  return {
    search: async (query: string) => (await searchMemory(service, callerOf(first.projectId), { query })).result.length,
    close,
  }
}

/**
 * Each engine is asked the same questions, some after the other, so that none is measured with others' data in the
 * processor's caches.
 */
async function askInTurn(engines: Engine[], questions: string[]): Promise<void> {
  const asked = questions.slice(0, Number(values.asked) + WARM_UP_QUESTIONS)
  for (let at = 0; at < asked.length; at += QUESTIONS_PER_ROUND)
    for (const engine of engines)
      for (const question of asked.slice(at, at + QUESTIONS_PER_ROUND)) {
        const started = performance.now()
        const found = await engine.search(question)
        if (at < WARM_UP_QUESTIONS) continue
        engine.times.push(performance.now() - started)
        engine.found += found
      }
}

function share(times: number[], part: number): string {
  return (times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0).toFixed(2).padStart(8)
}

/**
 * `remember`, guard and all, by clients who each wait for the answer: into one project, into eight, and into a folder
 * of the embedded engine, in turn. The database was analyzed while its tables were empty, as one is that was set up
 * some time ago; the first round begins there, the last one with what the others saved.
 */
async function measureSaves(): Promise<void> {
  console.log(`\nacknowledged saves a second in each of ${SAVES_ROUNDS} rounds, ${CLIENTS} clients`)
  await server.drop('saves')
  const { url } = await server.database('saves')
  const [database, folder] = [await openOn(url), await openOn(undefined)]
  await using client = new SQL({ url, max: 1 })
  await client.unsafe('analyze')
  const [one, eight] = [await listProjects(database, 1), await listProjects(database, 9)]
  const arms = [
    { name: 'memsvc on PostgreSQL, one project', count: () => countSaves(database, one), rounds: [] as number[] },
    {
      name: 'memsvc on PostgreSQL, eight projects',
      count: () => countSaves(database, eight.slice(1)),
      rounds: [] as number[],
    },
    {
      name: 'memsvc embedded, one project',
      count: () => countSaves(folder, [folder.first.projectId]),
      rounds: [] as number[],
    },
  ]
  for (let round = 0; round < SAVES_ROUNDS; round++) for (const { count, rounds } of arms) rounds.push(await count())
  for (const { name, rounds } of arms)
    console.log(name.padEnd(36), rounds.map((saves) => saves.toString().padStart(6)).join(''))
  await database.close()
  await folder.close()
}

type Opened = Awaited<ReturnType<typeof openOn>>

/** The first project and others, as many as wanted in all. */
async function listProjects({ service, first }: Opened, wanted: number): Promise<string[]> {
  const ids = [first.projectId]
  while (ids.length < wanted)
    ids.push((await addProject(service, COMMAND_LINE, { account: first.account, name: `saves ${ids.length}` })).id)
  return ids
}

/** Saves a second, over all projects. */
async function countSaves({ service, callerOf }: Opened, projects: string[]): Promise<number> {
  const { text } = openCorpus([], [])
  const began = performance.now()
  const end = began + SAVES_MS
  let saved = 0
  const save = async (projectId: string) => {
    const caller = callerOf(projectId)
    while (performance.now() < end) {
      const content = `${text(0)} ${Bun.randomUUIDv7()}`
      // A text of made-up words may look like an order to the guard.
      const isSaved = await rememberRecord(service, { kind: 'caller', caller }, { content, projectId }).then(
        () => true,
        () => false,
      )
      if (isSaved) saved++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => save(projects[client % projects.length] ?? '')))
  return Math.round(saved / ((performance.now() - began) / 1_000))
}

/** Answers a second of one, two and three instances on one database, each with eight questions under way. */
async function measureInstances(size: number): Promise<void> {
  const { url, first, close } = await openDataset(size, 1)
  await close()
  console.log(`\nsearches a second, ${size} records`)
  for (const count of [1, 2, 3]) {
    const instances = Array.from({ length: count }, (_, at) =>
      Bun.spawn(
        [
          process.execPath,
          join(import.meta.dir, 'postgres/instance.ts'),
          url,
          first.projectId,
          String(INSTANCES_S),
          String(at),
        ],
        {
          stdin: 'pipe',
          stdout: 'pipe',
          stderr: 'inherit',
        },
      ),
    )
    const readers = instances.map(({ stdout }) => readLines(stdout))
    for (const reader of readers) await reader.next()
    for (const { stdin } of instances) {
      stdin.write('go\n')
      await stdin.flush()
    }
    let answered = 0
    for (const reader of readers) answered += Number((await reader.next()).value)
    console.log(`${count} instance${count === 1 ? ' ' : 's'}  ${Math.round(answered / INSTANCES_S)}`)
    for (const { exited } of instances) await exited
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of stream) {
    text += decoder.decode(piece, { stream: true })
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      yield text.slice(0, at)
      text = text.slice(at + 1)
    }
  }
}
