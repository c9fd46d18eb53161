import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { actTogether, percentile, post, saveNote, search, toRate } from './calls.ts'
import { type BenchRun, type Data, toCallers } from './context.ts'
import { type Kept, measureKills } from './kills.ts'
import type { Processes } from './processes.ts'
import type { Figure } from './report.ts'
import { importFile, measureSearches, toCount, writeNotes } from './searches.ts'

/** Runs all measurements in turn, in an empty folder. Returns the figures by group, and the result of the kills. */
export async function runBench(run: BenchRun, folder: string): Promise<{ figures: Figure[]; kept: Kept }> {
  const { data, figures: starting } = await measureStart(run, join(folder, 'start'))
  const saving = await measureSaves(
    run,
    await copy(data, join(folder, 'saves')),
    `${data.keys.length} keys, empty project`,
  )
  const { kept, figures: killing } = await measureKills(run, await copy(data, join(folder, 'kills')))
  const full = await copy(data, join(folder, 'searches'))
  const { records, figures: searching } = await measureSearches(run, full)
  const stalling = await measureStall(run, full, records)
  const savingIntoFull = await measureSaves(
    run,
    { ...full, keys: full.keys.slice(0, 1) },
    `one key, ${toCount(records)}`,
  )
  const figures = [...saving, ...savingIntoFull, ...searching, ...starting, ...stalling, ...killing]
  return { figures: [...Map.groupBy(figures, ({ group }) => group).values()].flat(), kept }
}

async function copy({ dataDir, keys }: Data, to: string): Promise<Data> {
  await cp(dataDir, to, { recursive: true })
  return { dataDir: to, keys }
}

/**
 * Acknowledged saves per second, by number of concurrent clients, who share the keys. `where` says of what the project
 * is full, and how many keys there are.
 */
async function measureSaves(run: BenchRun, data: Data, where: string): Promise<Figure[]> {
  const { processes, scale, texts, ticks } = run
  const server = await processes.serve(data.dataDir)
  const figures: Figure[] = []
  for (const clients of scale.savers) {
    const name = `${clients} ${clients === 1 ? 'client' : 'clients'}, ${where}`
    run.step(`saves, ${name}`)
    const end = ticks() + scale.rateMs
    const acts = await actTogether(
      toCallers(server.url, data, clients),
      ticks,
      () => ticks() >= end,
      (caller) => saveNote(caller, texts.note),
    )
    figures.push({ group: 'Saves, on disk when answered', name, value: toRate(acts), unit: '/s' })
  }
  await server.stop()
  return figures
}

const SEARCHERS = 8
/** More notes than can be imported during the measurement. */
const IMPORTED_NOTES = 50_000

/**
 * Measures the latency of `ping`, sent in a loop while eight clients search and an import runs. The service is
 * restarted first, so that its start-up time and memory with this many records are measured too.
 */
async function measureStall(run: BenchRun, data: Data, records: number): Promise<Figure[]> {
  const { processes, scale, ticks, texts } = run
  run.step('a ping beside searches and an import')
  const file = await writeNotes(run, data, Math.min(IMPORTED_NOTES, records))
  const server = await processes.serve(data.dataDir)
  const end = ticks() + scale.togetherMs
  const isOver = () => ticks() >= end
  const [pings] = await Promise.all([
    actTogether(toCallers(server.url, data, 1), ticks, isOver, (caller) => post(caller, 'ping')),
    actTogether(toCallers(server.url, data, SEARCHERS), ticks, isOver, (caller) => search(caller, texts.question())),
    importFile(run, data, file, scale.togetherMs),
  ])
  const memory = server.readMemory()
  await server.stop()
  const group = `A ping while ${SEARCHERS} clients search and an import runs`
  return [
    { group, name: 'p99', value: percentile(pings.times, 0.99), unit: 'ms' },
    { group, name: 'longest', value: percentile(pings.times, 1), unit: 'ms' },
    { group: 'Start-up', name: toCount(records), value: server.startedMs, unit: 'ms' },
    { group: 'Memory', name: `${toCount(records)}, after searches`, value: memory, unit: 'MiB' },
  ]
}

/** So high that the rate limit does not affect the measurement. */
const MAX_CALLS_A_MINUTE = 1_000_000_000

/**
 * Creates a data folder with keys, and measures start-up of a service on it. The first start, which creates the files,
 * is not counted.
 */
async function measureStart(run: BenchRun, dataDir: string): Promise<{ data: Data; figures: Figure[] }> {
  run.step('starting')
  await mkdir(dataDir)
  await (await run.processes.serve(dataDir)).stop()
  const data = { dataDir, keys: await issueKeys(run.processes, dataDir, run.scale.keys) }
  const starts: number[] = []
  let memory: number | null = null
  for (let at = 0; at < run.scale.starts; at++) {
    const server = await run.processes.serve(dataDir)
    starts.push(server.startedMs)
    memory = server.readMemory()
    await server.stop()
  }
  const figures: Figure[] = [
    { group: 'Start-up', name: 'empty', value: percentile(starts, 0.5), unit: 'ms' },
    { group: 'Memory', name: 'empty', value: memory, unit: 'MiB' },
  ]
  return { data, figures }
}

/** Issues keys of the folder's only project, without a rate limit. */
export async function issueKeys(processes: Processes, dataDir: string, count: number): Promise<string[]> {
  const most = String(MAX_CALLS_A_MINUTE)
  const ask = async (words: string[]) => {
    const { out, isSuccess } = await processes.run(dataDir, [...words, '--json'])
    if (!isSuccess) throw new Refusal(`'memsvc ${words.join(' ')}' failed`)
    return JSON.parse(out) as { key: string }
  }
  await ask(['account', 'limits', '--calls-per-key', most, '--calls-per-project', most])
  const issued = await Promise.all(Array.from({ length: count }, () => ask(['key', 'issue', '--project', 'default'])))
  return issued.map(({ key }) => key)
}
