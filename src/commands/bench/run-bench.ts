import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchRun, Data } from './context.ts'
import { type Kept, measureKills } from './kills.ts'
import type { Figure } from './report.ts'
import { measureSaves } from './saves.ts'
import { measureSearches } from './searches.ts'
import { measureStall } from './stall.ts'
import { measureStart } from './start.ts'

/** Runs all measurements in turn, in an empty folder. Returns the figures by group, and the result of the kills. */
export async function runBench(run: BenchRun, folder: string): Promise<{ figures: Figure[]; kept: Kept }> {
  const { data, figures: starting } = await measureStart(run, join(folder, 'start'))
  const saving = await measureSaves(run, await copy(data, join(folder, 'saves')))
  const { kept, figures: killing } = await measureKills(run, await copy(data, join(folder, 'kills')))
  const full = await copy(data, join(folder, 'searches'))
  const { records, figures: searching } = await measureSearches(run, full)
  const stalling = await measureStall(run, full, records)
  const figures = [...saving, ...searching, ...starting, ...stalling, ...killing]
  return { figures: [...Map.groupBy(figures, ({ group }) => group).values()].flat(), kept }
}

async function copy({ dataDir, keys }: Data, to: string): Promise<Data> {
  await cp(dataDir, to, { recursive: true })
  return { dataDir: to, keys }
}
