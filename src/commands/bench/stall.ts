import { actTogether, percentile, post, search } from './calls.ts'
import { type BenchRun, type Data, toCallers } from './context.ts'
import { importFile, writeNotes } from './import.ts'
import type { Figure } from './report.ts'
import { toCount } from './searches.ts'

const SEARCHERS = 8
/** More notes than can be imported during the measurement. */
const IMPORTED_NOTES = 50_000

/**
 * Measures the latency of `ping`, sent in a loop while eight clients search and an import runs. The service is restarted first, so that its start-up time and
 * memory with this many records are measured too.
 */
export async function measureStall(run: BenchRun, data: Data, records: number): Promise<Figure[]> {
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
