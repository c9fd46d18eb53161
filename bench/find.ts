import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toMemberActor } from '../src/account/auth/actor.ts'
import { createApp } from '../src/app.ts'
import { findSessions } from '../src/history/find/find-sessions.ts'
import { findSavedIn } from '../src/history/find/saved-in.ts'
import { indexHistories } from '../src/history/index/index-histories.ts'
import { claudeLine, createUploadClient } from '../test/history/upload-client.ts'
import { openLongSessions } from './histories/long-sessions.ts'
import { openSearches } from './histories/searches.ts'
import { openBenchService } from './service.ts'

// Finding among session histories: `bun bench/find.ts [--sessions 1000] [--lines 200] [--records 2000]`. Uploads such
// sessions (bench/histories/long-sessions.ts), and prints what indexing takes, how long `search` among so many records
// takes before and meanwhile, what the index takes beside the compressed texts, and how long a search for two or three
// words of a prompt, and the look-up of the session of a record, take.

const QUERIES = 200
/** Searches of records before indexing. */
const SEARCHES = 1_000
/** Lines of one upload. */
const UPLOAD_LINES = 200

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    lines: { type: 'string', default: '200' },
    records: { type: 'string', default: '2000' },
  },
})
const [sessions, lines] = [Number(values.sessions), Number(values.lines)]
const texts = await openLongSessions()
// A minute passes after each session, since a key may not upload so much in one.
let uploaded = 0
let mebibytes = 0
const ticks = () => performance.now() + uploaded * 60_000
const { service, caller, secret, dataDir, close } = await openBenchService({ ticks })
const { projectId, authorId } = caller
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
const client = createUploadClient(`http://127.0.0.1:${app.server?.port}`, secret)
for (; uploaded < sessions; uploaded++) await upload(uploaded)
await app.stop(true)

const search = await openSearches({ service, caller }, Number(values.records))
const alone = await search((asked) => asked === SEARCHES)
await index()
printTimes('search alone', alone)
await service.store.history(projectId).scrub(() => false)
printSizes()
await find()
await close()

/** Indexes all, while records are searched. */
async function index(): Promise<void> {
  const startedAt = performance.now()
  let isIndexed = false
  const beside = search(() => isIndexed)
  await indexHistories(service)
  isIndexed = true
  const took = performance.now() - startedAt
  console.log(`indexed ${sessions * lines} lines (${mebibytes.toFixed(0)} MiB) in ${toSeconds(took)} s`)
  printTimes('search beside it', await beside)
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1)
}

async function upload(session: number): Promise<void> {
  let head = await client.head({ session_id: `session-${session}` })
  for (let from = 0; from < lines; from += UPLOAD_LINES) {
    const count = Math.min(UPLOAD_LINES, lines - from)
    const added = Array.from({ length: count }, (_, at) => toLine(session, from + at))
    mebibytes += added.reduce((sum, { length }) => sum + length, 0) / 2 ** 20
    head = await client.append(head, added)
  }
}

function toLine(session: number, at: number): string {
  const uuid = crypto.randomUUID()
  const { text, call, result } = texts.line(session, at)
  if (result !== undefined)
    return claudeLine(uuid, '', { message: { role: 'user', content: [{ type: 'tool_result', content: result }] } })
  if (at % 20 === 0) return claudeLine(uuid, text)
  const said = text === '' ? [] : [{ type: 'text', text }]
  const content = call === undefined ? said : [...said, { type: 'tool_use', id: uuid, ...call }]
  return claudeLine(uuid, '', { type: 'assistant', message: { role: 'assistant', content } })
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

async function find(): Promise<void> {
  const [account] = await service.store.control.list('accounts', {})
  const [member] = await service.store.control.list('members', {})
  if (account === undefined || member === undefined) throw new Error('there is no owner')
  const actor = toMemberActor({ member: { ...member, historyAccess: 'confirmed' }, account }, null)
  let found = 0
  await repeat('find', async (at) => {
    const query = { projectId, words: texts.query(at % sessions), limit: 20 }
    found += (await findSessions(service, actor, query)).found.length
  })
  console.log(`${(found / QUERIES).toFixed(1)} sessions a query`)
  await repeat('session of a record', () =>
    findSavedIn(service, actor, { projectId, id: crypto.randomUUID(), authorId, sourceId: null }),
  )
}

async function repeat(name: string, act: (at: number) => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let at = 0; at < QUERIES; at++) {
    const begunAt = performance.now()
    await act(at)
    times.push(performance.now() - begunAt)
  }
  printTimes(name, times)
}

function printTimes(name: string, times: number[]): void {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  console.log(`${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}`)
}
