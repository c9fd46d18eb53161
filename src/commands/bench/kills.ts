import { type Caller, saveNote } from './calls.ts'
import { type BenchRun, type Data, toCallers } from './context.ts'
import type { Server } from './processes.ts'
import type { Figure } from './report.ts'
import { createRandom } from './texts.ts'

/** Contents whose save was acknowledged, and the number of the next one; all contents differ. */
type Ledger = { acknowledged: Set<string>; next: number }

/** Number of acknowledged saves, of those that are present, and of those present more than once. */
export type Kept = { acknowledged: number; kept: number; doubled: number }

/**
 * Kills a service (SIGKILL) during saves, repeatedly on the same data folder, and finally compares its records with
 * what was acknowledged.
 */
export async function measureKills(run: BenchRun, data: Data): Promise<{ kept: Kept; figures: Figure[] }> {
  const ledger: Ledger = { acknowledged: new Set(), next: 1 }
  const random = createRandom(1)
  const [least, most] = run.scale.savesBeforeKill
  for (let round = 1; round <= run.scale.kills; round++) {
    run.step(`kill -9 amid saves, ${round} of ${run.scale.kills}`)
    await killAmidSaves(run, data, ledger, least + Math.floor(random() * (most - least)))
  }
  const kept = compare(ledger.acknowledged, await readContents(run, data))
  const group = `kill -9, ${run.scale.kills} times amid saves`
  const figures: Figure[] = [
    { group, name: 'acknowledged', value: kept.acknowledged, unit: 'saves' },
    { group, name: 'kept of these', value: kept.kept, unit: 'saves' },
    { group, name: 'kept twice', value: kept.doubled, unit: 'saves' },
  ]
  return { kept, figures }
}

/**
 * Clients save until this many more saves are acknowledged; then the service is killed while other calls are in flight.
 */
async function killAmidSaves(run: BenchRun, data: Data, ledger: Ledger, saves: number): Promise<void> {
  const server = await run.processes.serve(data.dataDir)
  const enough = ledger.acknowledged.size + saves
  const isOver = () => ledger.acknowledged.size >= enough
  const save = (caller: Caller) => saveUntil(run, caller, ledger, isOver, server)
  await Promise.all(toCallers(server.url, data, run.scale.callers).map(save))
  await server.kill()
}

async function saveUntil(
  run: BenchRun,
  caller: Caller,
  ledger: Ledger,
  isOver: () => boolean,
  server: Server,
): Promise<void> {
  while (!isOver()) {
    try {
      ledger.acknowledged.add(await saveNote(caller, () => `${ledger.next++} ${run.texts.note()}`))
    } catch (error) {
      if (isOver()) return
      throw error
    }
    if (isOver()) await server.kill()
  }
}

/** The contents of the project's records, read by a new process. */
async function readContents({ processes }: BenchRun, { dataDir }: Data): Promise<string[]> {
  await (await processes.serve(dataDir)).stop()
  const { out } = await processes.run(dataDir, ['export', '--project', 'default'])
  const lines = out.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { content: string }).content)
}

/** How many of the acknowledged contents are present, and how many of all contents are present more than once. */
export function compare(acknowledged: ReadonlySet<string>, contents: string[]): Kept {
  const there = new Set(contents)
  return {
    acknowledged: acknowledged.size,
    kept: [...acknowledged].filter((content) => there.has(content)).length,
    doubled: contents.length - there.size,
  }
}
