import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openCorpus } from './corpus.ts'
import type { Engine } from './engines/engine.ts'
import { openFts5 } from './engines/fts5.ts'
import { openMemsvc } from './engines/memsvc.ts'
import { openMiniSearch } from './engines/minisearch.ts'
import { openOrama } from './engines/orama.ts'

// Search beside other engines, asked in turn in one process: `bun bench/search.ts [--sizes 10000,100000] [--asked 200]
// [--notes FILE …] [--questions FILE …] [--only memsvc]`. Files hold one JSON object a line.

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    asked: { type: 'string', default: '200' },
    notes: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
  },
})

/** Texts saved together. */
const BATCH_TEXTS = 1_000
/** Larger corpora are not given to the engines that hold everything in JavaScript objects. */
const MAX_IN_MEMORY_TEXTS = 100_000
/** Questions asked first and not measured. */
const WARM_UP_QUESTIONS = 100
/**
 * Questions asked of one engine before the next: with one each, every engine would be measured with the others' data in
 * the processor's caches.
 */
const QUESTIONS_PER_ROUND = 25

/** Milliseconds of building in all and of each question, and records found in all. */
type Measured = { engine: Engine; building: number; times: number[]; found: number }

for (const size of values.sizes.split(',').map(Number)) await measure(size)
if (values.only === undefined) await measureSaves()

async function measure(size: number): Promise<void> {
  const corpus = openCorpus(values.notes, values.questions)
  const engines = [
    await openMemsvc(),
    openFts5('FTS5 AND', 'unicode61', 'AND'),
    openFts5('FTS5 OR', 'unicode61', 'OR'),
    openFts5('FTS5 Porter OR', 'porter', 'OR'),
  ]
  if (size <= MAX_IN_MEMORY_TEXTS) engines.push(openMiniSearch(), openOrama())
  const measured = engines
    .filter(({ name }) => values.only === undefined || name === values.only)
    .map((engine): Measured => ({ engine, building: 0, times: [], found: 0 }))
  const bytes = await build(measured, corpus.text, size)
  await ask(measured, corpus.questions)
  print(size, bytes, measured)
  for (const { engine } of measured) await engine.close()
}

/** In a process of its own, whose memory is not full of what the engines left. */
async function measureSaves(): Promise<void> {
  console.log('\nsaves, beside a row alone and a row with plain FTS5')
  const files = [values.notes[0], values.questions[0]].filter((file) => file !== undefined)
  await Bun.spawn([process.execPath, join(import.meta.dir, 'save.ts'), ...files], { stdout: 'inherit' }).exited
}

/** Adds the same texts to every engine, one batch after the other. Returns the bytes of the texts. */
async function build(measured: Measured[], text: (at: number) => string, size: number): Promise<number> {
  let bytes = 0
  for (let at = 0; at < size; at += BATCH_TEXTS) {
    const texts = Array.from({ length: Math.min(BATCH_TEXTS, size - at) }, (_, nth) => text(at + nth))
    bytes += texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
    for (const one of measured) {
      const start = performance.now()
      await one.engine.add(texts)
      one.building += performance.now() - start
    }
  }
  for (const one of measured) {
    const start = performance.now()
    await one.engine.settle?.()
    one.building += performance.now() - start
  }
  return bytes
}

async function ask(measured: Measured[], questions: string[]): Promise<void> {
  const asked = questions.slice(0, Number(values.asked) + WARM_UP_QUESTIONS)
  for (let at = 0; at < asked.length; at += QUESTIONS_PER_ROUND) {
    for (const one of measured) await askRound(one, asked.slice(at, at + QUESTIONS_PER_ROUND), at < WARM_UP_QUESTIONS)
  }
}

async function askRound(one: Measured, questions: string[], isWarmUp: boolean): Promise<void> {
  for (const question of questions) {
    const start = performance.now()
    const found = await one.engine.search(question)
    if (isWarmUp) continue
    one.times.push(performance.now() - start)
    one.found += found
  }
}

function print(size: number, bytes: number, measured: Measured[]): void {
  console.log(
    `\n${size} records, ${Math.round(bytes / size)} bytes each; the process holds ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB`,
  )
  console.log('engine           p50 ms   p99 ms  found/10  build µs/record  index/text')
  for (const { engine, building, times, found } of measured) {
    const sorted = times.sort((a, b) => a - b)
    const share = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2).padStart(8)
    const index = engine.indexBytes()
    const cells = [
      share(0.5),
      share(0.99),
      (found / times.length).toFixed(1).padStart(9),
      ((building * 1_000) / size).toFixed(1).padStart(16),
      index === undefined ? '  in memory' : (index / bytes).toFixed(2).padStart(11),
    ]
    console.log(engine.name.padEnd(15), cells.join(' '))
  }
}
