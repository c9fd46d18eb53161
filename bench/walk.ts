// The walk of a person through their session histories, with real assistants: each saves a record and changes a file in
// an empty home, with a scripted model on loopback; its history, a week apart from the next, is uploaded; the session is
// found by words and by the file, leads to the record and the record to it; then all is erased, and nothing of it is
// left in the data folder. Prints a row for each assistant. `bench/continue.ts` has the way back to a machine.
// Usage: bun bench/walk.ts FOLDER [CLIENT …] (FOLDER: where the clients were installed by `bun bench/clients.ts FOLDER`)
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { toMemberActor } from '../src/account/auth/actor.ts'
import { discover, readHistory } from '../src/agent/histories/discover.ts'
import type { HistorySource } from '../src/agent/histories/source.ts'
import { createApp } from '../src/app.ts'
import { findClientSetup } from '../src/console/project/client-setup.ts'
import { eraseAllSessions } from '../src/history/erase/erase.ts'
import { eraseDead } from '../src/history/erase/erase-dead.ts'
import { findSessions } from '../src/history/find/find-sessions.ts'
import { findSavedIn } from '../src/history/find/saved-in.ts'
import { indexUploaded } from '../src/history/index/index-histories.ts'
import { PASSAGE_VERSION } from '../src/history/index/passage.ts'
import { readSummary } from '../src/history/read/summary.ts'
import { createUploadClient } from '../test/history/upload-client.ts'
import { endLeftovers, PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { startScriptedModel } from './clients/scripted-model.ts'
import { openBenchService } from './service.ts'

const ASSISTANTS = ['claude-code', 'codex', 'copilot']
const TIMEOUT_MS = 120_000
const PIECE_BYTES = 2 ** 20
const WEEK_MS = 7 * 86_400_000
const SHELL = { command: 'cat quay.txt', cmd: 'cat quay.txt', description: 'Reads the quay' }

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/walk.ts FOLDER [CLIENT …]')
const path = join(resolve(folder), 'node_modules/.bin') + delimiter + (process.env.PATH ?? '')
const { service, caller, secret, dataDir, close } = await openBenchService()
const { projectId, authorId } = caller
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${app.server?.port}`
const client = createUploadClient(url, secret)
const model = startScriptedModel()
const [account] = await service.store.control.list('accounts', {})
const [member] = await service.store.control.list('members', {})
if (account === undefined || member === undefined) throw new Error('there is no owner')
const actor = toMemberActor({ member: { ...member, historyAccess: 'confirmed' }, account }, null)
const rows: object[] = []
try {
  const programs = PROGRAMS.filter(({ clientId }) => ASSISTANTS.includes(clientId))
  for (const [week, program] of programs.entries())
    if (chosen.length === 0 || chosen.includes(program.clientId)) rows.push(await tryProgram(program, week))
  console.table(rows)
  await eraseAllSessions(service, actor, { projectId })
  await eraseDead(service.store.history(projectId))
  const store = service.store.history(projectId)
  const blocks = await store.listBlocks({ after: 0, limit: 100 })
  const indexed = await store.listIndexed({ rules: PASSAGE_VERSION, limit: 100 })
  const file = Buffer.from(await Bun.file(join(dataDir, 'projects', `${projectId}.history.db`)).bytes())
  const found = await find({ words: 'crane quay' })
  const left = { found: found.length, blocks: blocks.length, indexed: indexed.length, bytes: file.indexOf('quay') }
  console.log('left after erasing all (-1: no text):', left)
} finally {
  model.stop()
  await app.stop(true)
  await close()
}

async function find(query: object) {
  return (await findSessions(service, actor, { projectId, limit: 10, ...query })).found
}

async function tryProgram(program: Program, week: number): Promise<object> {
  const home = await mkdtemp(join(tmpdir(), 'home-'))
  const work = join(home, 'harbour')
  await mkdir(work)
  await Bun.write(join(work, 'quay.txt'), 'seven cranes')
  const content = `The crane stands at quay ${week}`
  try {
    await runSession(program, { home, work }, content)
    const sources = await discover({ environment: {}, home }, new Map(), Date.now() + WEEK_MS)
    const main = sources.find(({ kind }) => kind === 'main')
    if (main === undefined) throw new Error(`${program.name} wrote no session`)
    const sessionId = await upload(main, week)
    return { program: program.package, ...(await tryLinks(sessionId, content)), ...(await tryFind(sessionId)) }
  } finally {
    await endLeftovers(home)
    await rm(home, { recursive: true, force: true })
  }
}

async function runSession(program: Program, { home, work }: { home: string; work: string }, content: string) {
  const setup = findClientSetup(program.clientId, `${url}/mcp`, secret)?.text ?? ''
  const place = { home, work, model: model.url, setup }
  const env = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', SVC_API_KEY: secret, ...program.environment(place) }
  await setUp(program, place, env)
  model.begin([
    { cell: 'shell', tool: /^(Bash|exec_command|bash)$/, args: SHELL },
    { cell: 'remember', tool: /^(.*memsvc.*)?remember$/, args: { content } },
  ])
  const { status, said } = await runProgram(program.run(place, 'note where the crane stands at the quay'), {
    cwd: work,
    env,
    timeoutMs: TIMEOUT_MS,
  })
  if (status !== 0) console.error(`${program.name}: ${said.slice(-1_000)}`)
}

/** Uploads a session as if it had been so many weeks ago. */
async function upload(source: HistorySource, week: number): Promise<string> {
  const lines: string[] = []
  for await (const piece of readHistory(source, null, PIECE_BYTES, { now: Date.now() + WEEK_MS }))
    if (piece !== 'rewritten') lines.push(...piece.lines)
  const { assistant, sourceKey: source_key, sessionId: session_id, cwd } = source
  const head = await client.head({ assistant, source_key, session_id, ...(cwd != null && { cwd }) })
  await client.append(
    head,
    lines.map((line) => toEarlier(line, week)),
  )
  await indexUploaded(service)
  return head.source_id
}

function toEarlier(line: string, week: number): string {
  return line.replace(/"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, (time) =>
    JSON.stringify(new Date(Date.parse(JSON.parse(time)) - week * WEEK_MS).toISOString()),
  )
}

/** Whether the record leads to the session, and the session to the record. */
async function tryLinks(sessionId: string, content: string) {
  const [record] = (await service.store.project(projectId).listLatest({ visible: undefined }, { limit: 9 })).filter(
    (one) => one.content === content,
  )
  const id = record?.id ?? ''
  const savedIn = await findSavedIn(service, actor, { projectId, id, authorId, sourceId: null })
  const { records } = await readSummary(service, actor, { projectId, id: sessionId })
  const isLinked = typeof savedIn === 'object' && savedIn.sessionId === sessionId
  return { saved: record !== undefined, 'record to line': isLinked, 'session to record': records.includes(id) }
}

async function tryFind(sessionId: string) {
  const has = async (query: object) => (await find(query)).some(({ session }) => session.id === sessionId)
  const [words, command] = [await has({ words: 'crane quay' }), await has({ words: 'quay.txt' })]
  return { 'found by words': words, 'found by a command': command }
}
