import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { actTogether, percentile, post, search, toRate } from './calls.ts'
import { type BenchRun, type Data, toCallers } from './context.ts'
import type { Figure } from './report.ts'

/** Lines generated at a time. */
const LINES_AT_ONCE = 1_000

/**
 * Imports a file, for at most `mostMs`, while other processes may use the data folder. Returns the number of notes
 * saved.
 */
export async function importFile(
  { processes }: BenchRun,
  { dataDir }: Data,
  file: string,
  mostMs: number,
): Promise<number> {
  const { out } = await processes.run(dataDir, ['import', file, '--project', 'default', '--json'], mostMs)
  // An import that is stopped before it has begun prints nothing.
  return out === '' ? 0 : (JSON.parse(out) as { saved: number }).saved
}

/** Writes a file of `count` notes to import, replacing the previous one. Returns its path. */
export async function writeNotes({ texts }: BenchRun, { dataDir }: Data, count: number): Promise<string> {
  const path = join(dataDir, 'notes.jsonl')
  const file = await open(path, 'w', 0o600)
  try {
    for (let at = 0; at < count; at += LINES_AT_ONCE) {
      const lines = Array.from(
        { length: Math.min(LINES_AT_ONCE, count - at) },
        () => `${JSON.stringify({ content: texts.note() })}\n`,
      )
      await file.write(lines.join(''))
    }
  } finally {
    await file.close()
  }
  return path
}

/** Throws a Refusal if nothing was imported, since further measurements would be meaningless. */
function requireRecords(records: number): void {
  if (records === 0) throw new Refusal('the import saved nothing')
}

/** Share of the questions that is asked first, as a warm-up. */
const WARM_UP_SHARE = 0.1

/** Time spent on imports so far, and the number of records there are. */
type Filling = { records: number; importMs: number }

/** Measures search and the endpoint at each number of records, in one project that is filled step by step. */
export async function measureSearches(run: BenchRun, data: Data): Promise<{ records: number; figures: Figure[] }> {
  const server = await run.processes.serve(data.dataDir)
  const filling: Filling = { records: 0, importMs: 0 }
  const figures: Figure[] = []
  for (const records of run.scale.records) {
    await fillTo(run, data, filling, records)
    figures.push(...(await measureLatency(run, server.url, data, filling.records)))
    if (records === run.scale.records[0])
      figures.push(...(await measureEndpoint(run, server.url, data, filling.records)))
  }
  const rate = filling.records / (filling.importMs / 1_000)
  figures.push({ group: 'Import, beside the service', name: toCount(filling.records), value: rate, unit: '/s' })
  await server.stop()
  return { records: filling.records, figures }
}

/** A number of records to three significant digits, since some notes of an import may be refused. */
export function toCount(records: number): string {
  const rounded = String(Number(records.toPrecision(3)))
  return `${rounded.replace(/\B(?=(\d{3})+$)/g, ' ')} records`
}

async function fillTo(run: BenchRun, data: Data, filling: Filling, records: number): Promise<void> {
  const { ticks, scale } = run
  run.step(`import up to ${toCount(records)}`)
  const file = await writeNotes(run, data, records - filling.records)
  const began = ticks()
  const mostMs = Math.max(0, scale.importMs - filling.importMs)
  filling.records += await importFile(run, data, file, mostMs)
  filling.importMs += ticks() - began
  requireRecords(filling.records)
}

/** Questions in sequence, all different. */
async function measureLatency(run: BenchRun, url: string, data: Data, records: number): Promise<Figure[]> {
  const { scale, texts, ticks } = run
  run.step(`search, ${toCount(records)}`)
  const ask = (questions: number) => {
    const end = ticks() + scale.questionsMs
    return actTogether(
      toCallers(url, data, 1),
      ticks,
      (done) => done >= questions || ticks() >= end,
      (caller) => search(caller, texts.question()),
    )
  }
  await ask(scale.questions * WARM_UP_SHARE)
  const { times } = await ask(scale.questions)
  const group = 'Search, another question each time'
  return [
    { group, name: `${toCount(records)}, p50`, value: percentile(times, 0.5), unit: 'ms' },
    { group, name: `${toCount(records)}, p99`, value: percentile(times, 0.99), unit: 'ms' },
  ]
}

async function measureEndpoint(run: BenchRun, url: string, data: Data, records: number): Promise<Figure[]> {
  const { scale, texts, ticks } = run
  const callers = toCallers(url, data, scale.callers)
  const measure = async (name: string, act: (caller: (typeof callers)[number]) => Promise<void>): Promise<Figure> => {
    run.step(`endpoint, ${name}`)
    const end = ticks() + scale.rateMs
    const acts = await actTogether(callers, ticks, () => ticks() >= end, act)
    return { group: `Endpoint, ${scale.callers} clients`, name, value: toRate(acts), unit: '/s' }
  }
  return [
    await measure(`search, ${toCount(records)}`, (caller) => search(caller, texts.question())),
    await measure('tools/list', (caller) => post(caller, 'tools/list')),
  ]
}
