import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toMemberActor } from '../src/account/auth/actor.ts'
import { createApp } from '../src/app.ts'
import { findSessions } from '../src/history/find/find-sessions.ts'
import { indexHistories } from '../src/history/index/index-histories.ts'
import { claudeLine, createUploadClient } from '../test/history/upload-client.ts'
import { openCorpus } from './corpus.ts'
import { openBenchService } from './service.ts'

// Finding among session histories: `bun bench/find.ts [--sessions 1000] [--lines 200] [--notes FILE --questions FILE]`.
// Uploads sessions of prompts, answers, calls and their outputs, made of the texts of the files (JSON lines with
// `content` and `query`) or made-up ones. Prints what indexing takes, what the index takes beside the compressed texts,
// and how long a search for two or three words of a prompt takes.

const QUERIES = 200
const OUTPUT_LINES = 12

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    lines: { type: 'string', default: '200' },
    notes: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
  },
})
const [sessions, lines] = [Number(values.sessions), Number(values.lines)]
const corpus = openCorpus(values.notes, values.questions)
const { service, caller, secret, dataDir, close } = await openBenchService()
const { projectId } = caller
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const client = createUploadClient(`http://127.0.0.1:${app.server?.port}`, secret)
for (let session = 0; session < sessions; session++) await upload(session)
await app.stop(true)

const startedAt = performance.now()
const before = process.cpuUsage()
await indexHistories(service)
const { user, system } = process.cpuUsage(before)
console.log(
  `indexed ${sessions * lines} lines of ${sessions} sessions in ${toSeconds(performance.now() - startedAt)} s`,
)
console.log(`processor time: ${toSeconds((user + system) / 1_000)} s`)
await service.store.history(projectId).scrub()
printSizes()
await printTimes()
await close()

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1)
}

/** Four lines a turn: what a person asks, a call, its output, the answer. */
async function upload(session: number): Promise<void> {
  const id = `session-${session}`
  const texts = Array.from({ length: lines }, (_, at) => toLine(session * lines + at))
  await client.append(await client.head({ session_id: id }), texts)
}

function toLine(at: number): string {
  const uuid = crypto.randomUUID()
  const text = corpus.text(at)
  const toAssistant = (content: object[]) =>
    claudeLine(uuid, '', { type: 'assistant', message: { role: 'assistant', content } })
  const path = `/home/ada/app/src/part-${at % 97}/file-${at % 1_009}.ts`
  if (at % 4 === 0) return claudeLine(uuid, text)
  if (at % 4 === 1)
    return toAssistant([{ type: 'tool_use', id: uuid, name: 'Edit', input: { file_path: path, new_string: text } }])
  if (at % 4 === 3) return toAssistant([{ type: 'text', text }])
  const output = Array.from({ length: OUTPUT_LINES }, (_, line) => corpus.text(at * OUTPUT_LINES + line)).join('\n')
  return claudeLine(uuid, '', { message: { role: 'user', content: [{ type: 'tool_result', content: output }] } })
}

/** Bytes of tables of the histories' file. */
function printSizes(): void {
  using database = new Database(join(dataDir, 'projects', `${projectId}.history.db`), { readonly: true })
  const sizes = database
    .query<{ part: string; bytes: number }, []>(
      `select case when name like 'word_index%' then 'words' when name like 'passages%' then 'passages'
         when name like 'blocks%' then 'texts' else 'other' end as part, sum(pgsize) as bytes from dbstat group by 1`,
    )
    .all()
  const bytesOf = (part: string) => sizes.find((size) => size.part === part)?.bytes ?? 0
  const index = bytesOf('words') + bytesOf('passages')
  console.log(`compressed texts ${bytesOf('texts')} bytes, words ${bytesOf('words')}, passages ${bytesOf('passages')}`)
  console.log(`the index is ${((100 * index) / bytesOf('texts')).toFixed(1)} % of the compressed texts`)
}

async function printTimes(): Promise<void> {
  const [account] = await service.store.control.list('accounts', {})
  const [member] = await service.store.control.list('members', {})
  if (account === undefined || member === undefined) throw new Error('there is no owner')
  const actor = toMemberActor({ member: { ...member, historyAccess: 'confirmed' }, account }, null)
  const times: number[] = []
  let found = 0
  for (let at = 0; at < QUERIES; at++) {
    const telling = corpus
      .text(at * 4)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 4)
    const words = telling.slice(0, 2 + (at % 2)).join(' ') || 'nothing'
    const begunAt = performance.now()
    found += (await findSessions(service, actor, { projectId, words, limit: 20 })).found.length
    times.push(performance.now() - begunAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  console.log(`find: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${(found / QUERIES).toFixed(1)} sessions a query`)
}
