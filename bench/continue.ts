// Whether assistants go on with a session that was uploaded: each has a session in an empty home, with a scripted model
// on loopback; its lines, as the local agent sends them, are written by `memsvc history continue` into another empty
// home, for another folder; the assistant resumes it there. Prints whether the first request to the model holds what was
// said before. To be run when an assistant has a new release: docs/histories.md has the table.
// Usage: bun bench/continue.ts FOLDER [CLIENT …] (FOLDER: where the clients were installed by `bun bench/clients.ts FOLDER`)
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { continueSession } from '../src/agent/histories/continue/continue.ts'
import { RESUMABLE } from '../src/agent/histories/continue/resumable.ts'
import { discover, readHistory } from '../src/agent/histories/discover.ts'
import type { HistorySource } from '../src/agent/histories/source.ts'
import { endLeftovers, PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Step, startScriptedModel } from './clients/scripted-model.ts'
import { GO_ON, RESUME } from './histories/resume.ts'
import { PNG, RUNS } from './histories/runs.ts'

const TIMEOUT_MS = 120_000
const PIECE_BYTES = 2 ** 20
const ENCRYPTED = { $omitted: { bytes: 100, reason: 'encrypted' } }
/** What the old turns said: the prompt, a call, and its result. */
const OLD_TURNS = ['look around', 'echo from the harbour']

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/continue.ts FOLDER [CLIENT …]')
const path = join(resolve(folder), 'node_modules/.bin') + delimiter + (process.env.PATH ?? '')
const model = startScriptedModel()
const rows: object[] = []
try {
  for (const program of PROGRAMS.filter(({ clientId }) => RESUMABLE.has(clientId)))
    if (chosen.length === 0 || chosen.includes(program.clientId)) rows.push(await tryProgram(program))
} finally {
  model.stop()
}
console.table(rows)

async function tryProgram(program: Program): Promise<object> {
  const old = await makeHome(program, 'harbour')
  const fresh = await makeHome(program, 'quay')
  try {
    const [run = { words: [], steps: [] }] = RUNS[program.clientId] ?? []
    await runIn(
      old,
      run.words,
      run.steps.map((step): Step => ({ ...step, args: inFolder(step.args, old.work) })),
    )
    const source = await findMain(old.home)
    const read = () => readLines(source)
    const session = { ...source, assistant: program.clientId, parent_session_id: null }
    const uploaded = { ...session, session_id: source.sessionId, source_key: source.sourceKey }
    const made = await continueSession({ environment: {}, home: fresh.home }, uploaded, fresh.work, async () => read())
    const seen = await runIn(fresh, RESUME[program.clientId]?.(source.sessionId) ?? [], [])
    const missing = [...OLD_TURNS, GO_ON].filter((text) => !seen.first.includes(text))
    const { lines, left_out } = made
    const unreadable = ['$omitted', 'rs_1', 'Hm.'].filter((text) => seen.first.includes(text))
    const held = missing.length === 0 ? 'all' : `not ${missing}`
    return { program: program.package, lines, left_out, 'old turns': held, unreadable: unreadable.join() }
  } finally {
    for (const { home } of [old, fresh]) {
      await endLeftovers(home)
      await rm(home, { recursive: true, force: true })
    }
  }
}

type Home = { home: string; work: string; env: Record<string, string> }

async function makeHome(program: Program, name: string): Promise<Home> {
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  const work = join(home, name)
  await mkdir(work)
  await writeFile(join(work, 'crane.png'), Buffer.from(PNG, 'base64'))
  const place = { home, work, model: model.url, setup: '' }
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...program.environment(place) }
  await setUp({ ...program, isSetUpByCommand: false }, place, env)
  return { home, work, env }
}

async function runIn({ work, env }: Home, words: string[], steps: Step[]) {
  const seen = model.begin(steps)
  const { status, said } = await runProgram(words, { cwd: work, env, timeoutMs: TIMEOUT_MS })
  if (status !== 0) console.error(`${words.join(' ')}: ${said.slice(-1_000)}`)
  return seen
}

function inFolder(args: object, work: string): object {
  return JSON.parse(JSON.stringify(args).replaceAll('WORK', work))
}

async function findMain(home: string): Promise<HistorySource> {
  const found = await discover({ environment: {}, home }, new Map(), Date.now())
  const [main] = found.filter(({ kind }) => kind === 'main').toSorted((a, b) => b.bytes - a.bytes)
  if (main === undefined) throw new Error('there is no session')
  return main
}

async function* readLines(source: HistorySource): AsyncGenerator<Uint8Array, void> {
  for await (const piece of readHistory(source, null, PIECE_BYTES)) {
    if (piece === 'rewritten') continue
    yield Buffer.from(
      withReasoning(piece.lines)
        .map((line) => `${line}\n`)
        .join(''),
    )
  }
}

/** Adds what the scripted model does not write: reasoning without its encrypted text, and a line that was too large. */
function withReasoning(lines: string[]): string[] {
  return lines
    .map((line) => JSON.parse(line))
    .flatMap((line) => {
      const added =
        line.type === 'assistant' ? toThinking(line) : line.payload?.type === 'function_call' ? toReasoning(line) : []
      const [first] = added
      const linked = first !== undefined && 'uuid' in first ? { ...line, parentUuid: first.uuid } : line
      return [...added, linked].map((one) => JSON.stringify(one))
    })
}

function toThinking(line: { message: object }) {
  const message = { ...line.message, content: [{ type: 'thinking', thinking: 'Hm.', signature: ENCRYPTED }] }
  return [{ ...line, uuid: crypto.randomUUID(), message }]
}

function toReasoning({ timestamp, ordinal }: { timestamp: string; ordinal: number }) {
  const payload = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: ENCRYPTED }
  const tooLarge = { timestamp, type: 'event_msg', $omitted: { bytes: 2_000_000, reason: 'too_large' } }
  return [{ timestamp, ordinal, type: 'response_item', payload }, tooLarge]
}
