// What other wordings cost: the questions of bench/wordings, each asked by an assistant's words alone and with other
// wordings, in turn in one process, among many texts. Usage: bun bench/also.ts NOTES [RECORDS] (NOTES: JSON Lines with
// `content`; as many different texts are made of them; 100 000 unless given)
import { toEntry } from '../src/memory/search/index/index-entry.ts'
import { searchMemory } from '../src/memory/search/search.ts'
import { openCorpus } from './corpus.ts'
import { keep } from './keep.ts'
import { toRecord } from './record.ts'
import { openBenchService } from './service.ts'
import { readSet } from './wordings/set.ts'

const BATCH_TEXTS = 500
const TEXTS_PER_SOURCE = 20
const WARM_UP = 40

const [file, size = '100000'] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: bun bench/also.ts NOTES [RECORDS]')
const opened = await openBenchService()
const { text } = openCorpus([file], [file])
const project = opened.service.store.project(opened.caller.projectId)
const workspace = await project.write((tx) => tx.insertWorkspace('default', 1))
for (let at = 0; at < Number(size); at += BATCH_TEXTS) await saveBatch(at)
const { notes, questions } = await readSet()
for (const { text: content } of notes) await keep(opened, { content })
await opened.service.store.tidy()

/** Milliseconds of the processor, and of the clock, for one search. */
async function timeSearch(query: string, also: string[]): Promise<Time> {
  const [used, began] = [process.cpuUsage(), performance.now()]
  await searchMemory(opened.service, opened.caller, { query, also })
  const { user, system } = process.cpuUsage(used)
  return { processor: (user + system) / 1_000, wall: performance.now() - began }
}

/** Past the look for similar records, which takes most of the time of so many saves. */
async function saveBatch(first: number): Promise<void> {
  const records = Array.from({ length: BATCH_TEXTS }, (_, nth) =>
    toRecord({
      workspaceId: workspace.id,
      authorId: opened.caller.authorId,
      content: text(first + nth).trim() || 'empty',
      factKey: `note-${first + nth}`,
      sourceId: `s${Math.floor((first + nth) / TEXTS_PER_SOURCE)}`,
    }),
  )
  const whole = records.map((record) => ({ ...record, entry: toEntry(record) }))
  await project.write(async (tx) => {
    for (const record of whole) await tx.insertRecord(record)
  })
}

type Time = { processor: number; wall: number }
const alone: Time[] = []
const withOthers: Time[] = []
for (const [at, { question, query = question, also = [] }] of questions.entries()) {
  // What is asked second finds posting lists in the cache.
  const inTurn: [string[], typeof alone][] = [
    [[], alone],
    [also, withOthers],
  ]
  for (const [others, times] of at % 2 === 0 ? inTurn : inTurn.toReversed()) {
    const time = await timeSearch(query, others)
    if (at >= WARM_UP) times.push(time)
  }
}
for (const measure of ['processor', 'wall'] as const) {
  const sorted = [alone, withOthers].map((times) => times.map((time) => time[measure]).sort((a, b) => a - b))
  const [plain = [], other = []] = sorted
  const at = (times: number[], share: number) => times[Math.floor(times.length * share)] ?? 0
  const mean = (times: number[]) => times.reduce((sum, time) => sum + time, 0) / times.length
  const figures = [mean, (times: number[]) => at(times, 0.5), (times: number[]) => at(times, 0.95)].map(
    (of) => [of(plain), of(other)] as const,
  )
  const cells = figures.map(
    ([one, two]) => `${one.toFixed(2)} → ${two.toFixed(2)} ms (${(two / one).toFixed(2)} times)`,
  )
  console.log(`${measure}: mean ${cells[0]}, p50 ${cells[1]}, p95 ${cells[2]}`)
}
await opened.close()
