import { rmSync } from 'node:fs'
import { COMMAND_LINE } from '../src/account/auth/actor.ts'
import { backUpInFolder } from '../src/maintenance/back-up-in-folder.ts'
import { searchMemory } from '../src/memory/search/search.ts'
import { openCorpus } from './corpus.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'
import { readThreadTime } from './stall/thread-time.ts'

// Whether a backup holds others up: the turns of the event loop, in time of the processor, while eight clients save and
// search, with backups one after the other and without, in turn. Linux only. `bun bench/backup.ts`

const RECORDS = 8_000
const TOGETHER = 400
const CLIENTS = 8
const ROUNDS = 3
const PHASE_MS = 5_000

const opened = await openBenchService()
const corpus = openCorpus([], [])
for (let at = 0; at < RECORDS; at += TOGETHER)
  await Promise.all(Array.from({ length: TOGETHER }, (_, i) => save(at + i)))

let isDone = false
let acts = RECORDS
let turns: number[] = []
let lastTime = readThreadTime()
const clients = Array.from({ length: CLIENTS }, (_, i) => work(i % 2 === 0 ? save : search))
setImmediate(countTurn)
await Bun.sleep(PHASE_MS)
for (let round = 0; round < ROUNDS; round++) {
  await measure('without', () => Bun.sleep(PHASE_MS))
  await measure('with backups', makeBackups)
}
isDone = true
await Promise.all(clients)
await opened.close()

function save(at: number): Promise<unknown> {
  return keep(opened, { content: corpus.text(at), source_id: 'source' })
}

function search(at: number): Promise<unknown> {
  const query = `${corpus.questions[at % corpus.questions.length]}${' '.repeat(at % 50)}`
  return searchMemory(opened.service, opened.caller, { query })
}

async function work(act: (at: number) => Promise<unknown>): Promise<void> {
  while (!isDone) await act(acts++)
}

function countTurn(): void {
  const time = readThreadTime()
  turns.push(time - lastTime)
  lastTime = time
  if (!isDone) setImmediate(countTurn)
}

async function makeBackups(): Promise<void> {
  const folder = `${opened.dataDir}-backups`
  const plan = { folder, everyMs: undefined, keep: undefined, isChosen: true }
  for (const end = performance.now() + PHASE_MS; performance.now() < end; ) {
    await backUpInFolder(opened.service, COMMAND_LINE, plan, () => false)
    rmSync(folder, { recursive: true })
  }
}

async function measure(name: string, phase: () => Promise<void>): Promise<void> {
  const before = acts
  turns = []
  await phase()
  const sorted = turns.sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  console.log(
    `${name.padEnd(13)} ${acts - before} acts; turns p99 ${p99.toFixed(2)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(2)} ms`,
  )
}
