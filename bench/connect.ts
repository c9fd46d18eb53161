// The scenario of README with real clients: each is connected by `memsvc client add <client> --hooks` to a new project,
// in an empty home on the service's machine, with a scripted model on loopback. Prints whether its first session was
// told that nothing is saved yet, whether what it remembered is told to and found by the next one, whether a correction
// replaced it, how often a long session was reminded to save, and how long a session takes, also while the service is
// down. Usage: bun run build && bun bench/connect.ts FOLDER [CLIENT …] (FOLDER: where the clients were installed by
// `bun bench/clients.ts FOLDER`)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Subprocess } from 'bun'
import { startExecutable } from '../test/smoke/running.ts'
import { toEnvironment } from './clients/install.ts'
import { PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Step, startScriptedModel } from './clients/scripted-model.ts'

const MEMSVC = join(import.meta.dir, '../dist/memsvc')
const TIMEOUT_MS = 120_000
const TUESDAYS = 'Releases go out on Tuesdays, because support is fully staffed then'
const THURSDAYS = 'Releases go out on Thursdays since the summer'
const REQUEST = 'Remember that releases go out on Tuesdays, because support is fully staffed then.'
const QUESTION = 'On which day do we release?'
const NOTHING_SAVED = 'nothing is saved yet'
/** Codex runs a hook only after a person has looked at it. */
const TRUSTED: Record<string, string[]> = { codex: ['--dangerously-bypass-hook-trust'] }

/** Makes a session long enough to be reminded to save. */
const LONG_PROMPT = `go ${'on '.repeat(30_000)}`
const REMINDER = 'save it now: one fact a record'

const own = (name: string) => new RegExp(`^(.*memsvc.*)?${name}$`)
const save = (content: string): Step => ({
  cell: 'remember',
  tool: own('remember'),
  args: { content, fact_key: 'release.day' },
})
const FIND: Step = { cell: 'search', tool: own('search'), args: { query: QUESTION, workspace: '*' } }

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/connect.ts FOLDER [CLIENT …]')
const programs = PROGRAMS.filter(({ clientId }) => chosen.length === 0 || chosen.includes(clientId))
const data = await mkdtemp(join(tmpdir(), 'memsvc-connect-'))
const started: Subprocess[] = []
const service = await startExecutable(MEMSVC, data, data, started)
const { port } = new URL(service.url)
const model = startScriptedModel()
try {
  const homes = new Map<Program, Home>()
  const rows: Record<string, Record<string, string>> = {}
  for (const program of programs) {
    const home = await connect(program)
    homes.set(program, home)
    rows[program.name] = await tryConnected(program, home)
  }
  await service.stop()
  for (const [program, home] of homes) Object.assign(rows[program.name] ?? {}, await timeDown(program, home))
  console.table(rows)
} finally {
  for (const child of started) child.kill()
  model.stop()
  await rm(data, { recursive: true, force: true })
}

type Home = { home: string; work: string; env: Record<string, string>; place: Parameters<Program['run']>[0] }

/** An empty home with a client in it that one command connected to a project of its own: it issued the key, too. */
async function connect(program: Program): Promise<Home> {
  const home = await mkdtemp(join(data, 'home-'))
  const work = join(home, 'newshop')
  await mkdir(work)
  const place = { home, work, model: model.url, setup: '' }
  const env = { ...toEnvironment(resolve(folder ?? ''), home), ...program.environment(place) }
  await setUp({ ...program, isSetUpByCommand: false }, place, env)
  const withData = { ...env, SVC_DATA_DIR: data, SVC_PORT: port, SVC_BACKUP_EVERY: 'off' }
  await runMemsvc(['project', 'add', program.clientId], withData)
  const add = ['client', 'add', program.clientId, '--project', program.clientId, '--yes']
  if ((await runMemsvc([...add, '--hooks'], withData)).status !== 0) await runMemsvc(add, withData)
  return { home, work, env, place }
}

function runMemsvc(words: string[], env: Record<string, string>) {
  return runProgram([MEMSVC, ...words], { cwd: data, env, timeoutMs: TIMEOUT_MS })
}

async function run(program: Program, { work, env, place }: Home, prompt = 'go') {
  const [command = '', first = '', ...rest] = program.run(place, prompt)
  const words =
    program.clientId in TRUSTED
      ? [command, first, ...(TRUSTED[program.clientId] ?? []), ...rest]
      : [command, first, ...rest]
  return runProgram(words, { cwd: work, env, timeoutMs: TIMEOUT_MS })
}

async function tryConnected(program: Program, home: Home): Promise<Record<string, string>> {
  const first = model.begin([save(TUESDAYS)])
  const { said } = await run(program, home, REQUEST)
  const isSaved = first.results.get('remember')?.includes('created') === true
  const second = model.begin([FIND, save(THURSDAYS)])
  const begun = performance.now()
  await run(program, home, QUESTION)
  const took = performance.now() - begun
  const isFound = second.results.get('search')?.includes(TUESDAYS) === true
  const third = model.begin([])
  await run(program, home, QUESTION)
  const long = model.begin([])
  await run(program, home, LONG_PROMPT)
  const reminders = long.text.split(REMINDER).length - 1
  if (!isSaved) console.error(`${program.name}: ${said.slice(-1_000)}`)
  return {
    'first brief': toWord(first.first.includes(NOTHING_SAVED)),
    remember: toWord(isSaved),
    brief: toWord(second.first.includes(TUESDAYS)),
    search: toWord(isFound),
    corrected: toWord(third.first.includes(THURSDAYS) && !third.first.includes(TUESDAYS)),
    reminders: String(reminders),
    'up: hooks': `${Math.round(took)} ms`,
  }
}

/** The shorter of two sessions: the first after a change takes longer. */
async function time(program: Program, home: Home): Promise<string> {
  const times: number[] = []
  for (let at = 0; at < 2; at++) {
    model.begin([])
    const begun = performance.now()
    await run(program, home)
    times.push(performance.now() - begun)
  }
  return `${Math.round(Math.min(...times))} ms`
}

/** How long a session takes while the service is down: with hooks, without them, and not connected at all. */
async function timeDown(program: Program, home: Home): Promise<Record<string, string>> {
  const withData = { ...home.env, SVC_DATA_DIR: data, SVC_PORT: port, SVC_BACKUP_EVERY: 'off' }
  const hooks = await time(program, home)
  await runMemsvc(['client', 'remove', program.clientId, '--yes'], home.env)
  const none = await time(program, home)
  await runMemsvc(['client', 'add', program.clientId, '--project', program.clientId, '--yes'], withData)
  return { 'down: hooks': hooks, 'no hooks': await time(program, home), 'not connected': none }
}

function toWord(holds: boolean): string {
  return holds ? 'yes' : 'no'
}
