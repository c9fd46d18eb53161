import { mkdir } from 'node:fs/promises'
import { Refusal } from '../../errors.ts'
import { percentile } from './calls.ts'
import type { BenchRun, Data } from './context.ts'
import type { Processes } from './processes.ts'
import type { Figure } from './report.ts'

/** So high that the rate limit does not affect the measurement. */
const MAX_CALLS_A_MINUTE = 1_000_000_000

/**
 * Creates a data folder with keys, and measures start-up of a service on it. The first start, which creates the files,
 * is not counted.
 */
export async function measureStart(run: BenchRun, dataDir: string): Promise<{ data: Data; figures: Figure[] }> {
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
