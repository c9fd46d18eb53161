// The walk of a person through their session histories, with real assistants: each saves a record and changes a file in
// an empty home, with a scripted model on loopback, a week apart from the next; the local agent uploads its history, but
// not while the assistant, the folder or the session is excluded; the session is found by words and by a command, its
// page shows the turn, it leads to the record and the record to it, and the assistant goes on with it in another empty
// home; what is suggested from the sessions is kept, edited or dismissed, and what is dismissed does not return; then all
// is erased, and nothing of it is left in the data folder. Prints a row for each assistant.
// Usage: bun bench/walk.ts FOLDER [CLIENT …] (FOLDER: where the clients were installed by `bun bench/clients.ts FOLDER`)
import { delimiter, join, resolve } from 'node:path'
import { toMemberActor } from '../src/account/auth/actor.ts'
import { continueSession } from '../src/agent/histories/continue/continue.ts'
import type { HistorySource } from '../src/agent/histories/source.ts'
import { createApp } from '../src/app.ts'
import { toEntries } from '../src/console/sessions/entry.ts'
import { eraseAllSessions } from '../src/history/erase/erase.ts'
import { eraseDead } from '../src/history/erase/erase-dead.ts'
import { findSessions } from '../src/history/find/find-sessions.ts'
import { findSavedIn } from '../src/history/find/saved-in.ts'
import { indexUploaded } from '../src/history/index/index-histories.ts'
import { listSessions, readSummary } from '../src/history/read/list-sessions.ts'
import { exportSession } from '../src/history/read/session.ts'
import { readTranscript } from '../src/history/read/transcript.ts'
import { PROGRAMS, type Program } from './clients/programs.ts'
import { startScriptedModel } from './clients/scripted-model.ts'
import { dateBack } from './histories/date-back.ts'
import { CRANES, createHomes, type Home } from './histories/homes.ts'
import { GO_ON, RESUME } from './histories/resume.ts'
import { countLeft, RULES, trySuggestions } from './histories/suggest.ts'
import { openBenchService } from './service.ts'

const ASSISTANTS = ['claude-code', 'codex', 'copilot']
const PROMPT = 'note where the crane stands at the quay'
const COMMAND = 'cat quay.txt'
/** Claude Code refuses a call with an argument that it does not know. */
const toShell = ({ clientId }: Program) =>
  clientId === 'codex' ? { cmd: COMMAND } : { command: COMMAND, description: 'Reads the quay' }

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: bun bench/walk.ts FOLDER [CLIENT …]')
const path = join(resolve(folder), 'node_modules/.bin') + delimiter + (process.env.PATH ?? '')
const { service, caller, secret, dataDir, close } = await openBenchService()
const { projectId, authorId } = caller
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const url = `http://127.0.0.1:${app.server?.port}`
const model = startScriptedModel()
const { makeHome, removeHome, runIn, memsvc } = createHomes({ url, secret, path, model })
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
  const place = { service, actor, projectId }
  console.log('suggestions:', await trySuggestions(place, (typed) => sayOnce(programs[0], typed)))
  await eraseAllSessions(service, actor, { projectId })
  await eraseDead(service.store.history(projectId))
  const file = join(dataDir, 'projects', `${projectId}.history.db`)
  const left = { found: (await find({ words: 'crane quay' })).length, ...(await countLeft(service, projectId, file)) }
  console.log('left after erasing all:', left)
} finally {
  model.stop()
  await app.stop(true)
  await close()
}

async function find(query: object) {
  return (await findSessions(service, actor, { projectId, limit: 10, ...query })).found
}

async function tryProgram(program: Program, week: number): Promise<object> {
  const [old, fresh] = [await makeHome(program, 'harbour'), await makeHome(program, 'quay')]
  const content = `The crane stands at quay ${week}`
  try {
    await runIn(old, program.run(old.place, `${PROMPT}. ${RULES[week]}`), [
      { cell: 'shell', tool: /^(Bash|exec_command|bash)$/, args: toShell(program) },
      { cell: 'remember', tool: /^(.*memsvc.*)?remember$/, args: { content } },
    ])
    const main = await dateBack(old.place.home, week)
    const excluded = await tryExclusions(old, main)
    await memsvc(old, 'sync', 'now')
    await indexUploaded(service)
    const id = (await listUploaded(main))[0]?.id ?? ''
    return {
      program: program.package,
      excluded,
      ...(await tryFind(id)),
      'missing on the page': await tryRead(id, content),
      ...(await tryLinks(id, content)),
      'missing when resumed': await tryContinue(program, fresh, id),
    }
  } finally {
    for (const home of [old, fresh]) await removeHome(home)
  }
}

/** A session in which a person types this, uploaded. */
async function sayOnce(program: Program | undefined, typed: string): Promise<void> {
  if (program === undefined) return
  const home = await makeHome(program, 'later')
  await runIn(home, program.run(home.place, typed), [])
  await memsvc(home, 'sync', 'enable', home.place.work, '--yes')
  await memsvc(home, 'sync', 'now')
  await removeHome(home)
}

async function listUploaded({ assistant, sessionId }: HistorySource) {
  const { sessions } = await listSessions(service, actor, { projectId, limit: 100 })
  return sessions.filter((one) => one.assistant === assistant && one.session_id === sessionId)
}

/** By what the session was kept on the machine. */
async function tryExclusions(home: Home, main: HistorySource): Promise<string> {
  await memsvc(home, 'sync', 'enable', home.place.work, '--yes', '--suggestions', 'yes')
  const kept: string[] = []
  for (const [by, ...words] of [
    ['assistant', '--assistant', main.assistant],
    ['folder', home.place.work],
    ['session', '--session', main.sessionId],
  ]) {
    await memsvc(home, 'sync', 'exclude', ...words)
    await memsvc(home, 'sync', 'now')
    if ((await listUploaded(main)).length === 0) kept.push(by ?? '')
    await memsvc(home, 'sync', 'exclude', ...words, '--remove')
  }
  return kept.join()
}

function whatIsMissing(text: string, wanted: string[]): string {
  return wanted.filter((one) => !text.includes(one)).join() || 'nothing'
}

/** What of the turn is missing on the session's page. */
async function tryRead(id: string, content: string): Promise<string> {
  const { lines } = await readTranscript(service, actor, { projectId, id, limit: 100, hasParts: true })
  const page = (await toEntries('', lines)).map((entry) => entry.render({})).join('')
  return whatIsMissing(page, [PROMPT, COMMAND, CRANES, content])
}

/** What of the old turn is missing in the first request of the session that is resumed in another home. */
async function tryContinue(program: Program, home: Home, id: string): Promise<string> {
  const { session, pieces } = await exportSession(service, actor, { projectId, id })
  const encode = async function* () {
    for await (const piece of pieces()) yield Buffer.from(piece)
  }
  const machine = { environment: {}, home: home.place.home }
  await continueSession(machine, session, home.place.work, async () => encode())
  const seen = await runIn(home, RESUME[program.clientId]?.(session.session_id) ?? [], [])
  return whatIsMissing(seen.first, [PROMPT, CRANES, GO_ON])
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
