// Real clients connected by `memsvc client add <client> --hooks`, each in an empty home on the service's machine, with a scripted model on loopback. Prints whether the first request
// to the model held the brief, whether the model's calls came through the agent, how often a long session was reminded to save, and how long a session takes, also while the service is down.
// Usage: bun run build && bun bench/connect.ts FOLDER [CLIENT …]   (FOLDER: where the clients were installed by `bun bench/clients.ts FOLDER`)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Subprocess } from 'bun'
import { ask, startExecutable } from '../test/smoke/running.ts'
import { PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Step, startScriptedModel } from './clients/scripted-model.ts'

const MEMSVC = join(import.meta.dir, '../dist/memsvc')
const TIMEOUT_MS = 120_000
const NOTE = 'The harbour crane is serviced every March'
const SAVED = 'The harbour gate is painted blue'
/** Codex runs a hook only after a person has looked at it. */
const TRUSTED: Record<string, string[]> = { codex: ['--dangerously-bypass-hook-trust'] }

/** Makes a session long enough to be reminded to save. */
const LONG_PROMPT = `go ${'on '.repeat(30_000)}`
const REMINDER = 'save it now: one fact a record'

const own = (name: string) => new RegExp(`^(.*memsvc.*)?${name}$`)
const STEPS: Step[] = [
  { cell: 'remember', tool: own('remember'), args: { content: SAVED, workspace: 'harbour' } },
  { cell: 'search', tool: own('search'), args: { query: 'which colour has the gate?', workspace: 'harbour' } },
]

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/connect.ts FOLDER [CLIENT …]')
const programs = PROGRAMS.filter(({ clientId }) => chosen.length === 0 || chosen.includes(clientId))
const data = await mkdtemp(join(tmpdir(), 'memsvc-connect-'))
const started: Subprocess[] = []
const service = await startExecutable(MEMSVC, data, data, started)
const { port } = new URL(service.url)
const model = startScriptedModel()
try {
  await saveNote()
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

async function saveNote(): Promise<void> {
  const issued = await runProgram([MEMSVC, 'key', 'issue', '--project', 'default', '--json'], {
    cwd: data,
    env: { SVC_DATA_DIR: data },
    timeoutMs: TIMEOUT_MS,
  })
  const { key } = JSON.parse(issued.said) as { key: string }
  await ask(service.url, key, 'tools/call', { name: 'remember', arguments: { content: NOTE, workspace: 'harbour' } })
}

/** An empty home with a client in it that one command connected: it issued the key, too. */
async function connect(program: Program): Promise<Home> {
  const home = await mkdtemp(join(data, 'home-'))
  const work = join(home, 'harbour')
  await mkdir(work)
  const place = { home, work, model: model.url, setup: '' }
  const { PATH = '', NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env
  const network = { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(SSL_CERT_FILE && { SSL_CERT_FILE }) }
  const path = join(resolve(folder ?? ''), 'node_modules/.bin') + delimiter + PATH
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...network, ...program.environment(place) }
  await setUp({ ...program, isSetUpByCommand: false }, place, env)
  const withData = { ...env, SVC_DATA_DIR: data, SVC_PORT: port, SVC_BACKUP_EVERY: 'off' }
  const hooks = await runMemsvc(['client', 'add', program.clientId, '--hooks', '--yes'], withData)
  if (hooks.status !== 0) await runMemsvc(['client', 'add', program.clientId, '--yes'], withData)
  return { home, work, env, place }
}

function runMemsvc(words: string[], env: Record<string, string>) {
  return runProgram([MEMSVC, ...words], { cwd: data, env, timeoutMs: TIMEOUT_MS })
}

async function run(program: Program, { work, env, place }: Home, prompt = 'go') {
  const [command = '', first = '', ...rest] = program.run(place).map((word) => (word === 'go' ? prompt : word))
  const words = program.clientId in TRUSTED ? [command, first, ...(TRUSTED[program.clientId] ?? []), ...rest] : [command, first, ...rest]
  return runProgram(words, { cwd: work, env, timeoutMs: TIMEOUT_MS })
}

async function tryConnected(program: Program, home: Home): Promise<Record<string, string>> {
  const first = model.begin([])
  const begun = performance.now()
  const { said } = await run(program, home)
  const took = performance.now() - begun
  const isBriefed = first.text.includes(NOTE)
  const seen = model.begin(STEPS)
  await run(program, home)
  const isSaved = seen.results.get('remember')?.includes('created') === true
  const isFound = seen.results.get('search')?.includes(SAVED) === true
  const long = model.begin([])
  await run(program, home, LONG_PROMPT)
  const reminders = long.text.split(REMINDER).length - 1
  if (!isSaved) console.error(`${program.name}: ${said.slice(-1_000)}`)
  return {
    brief: toWord(isBriefed),
    remember: toWord(isSaved),
    search: toWord(isFound),
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
  await runMemsvc(['client', 'add', program.clientId, '--yes'], withData)
  return { 'down: hooks': hooks, 'no hooks': await time(program, home), 'not connected': none }
}

function toWord(holds: boolean): string {
  return holds ? 'yes' : 'no'
}
