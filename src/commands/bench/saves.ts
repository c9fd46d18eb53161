import { actTogether, saveNote, toRate } from './calls.ts'
import { type BenchRun, type Data, toCallers } from './context.ts'
import type { Figure } from './report.ts'

/** Acknowledged saves per second, by number of concurrent clients. */
export async function measureSaves(run: BenchRun, data: Data): Promise<Figure[]> {
  const { processes, scale, texts, ticks } = run
  const server = await processes.serve(data.dataDir)
  const figures: Figure[] = []
  for (const clients of scale.savers) {
    const name = `${clients} ${clients === 1 ? 'client' : 'clients'}`
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
