import type { Processes } from './processes.ts'
import type { Scale } from './scale.ts'
import type { Texts } from './texts.ts'

/** What the measurements of one run share. */
export type BenchRun = {
  processes: Processes
  ticks: () => number
  texts: Texts
  scale: Scale
  /** Says what is measured now. */
  step: (name: string) => void
}

/** A data folder, and keys of its one project. */
export type Data = { dataDir: string; keys: string[] }

/** As many callers as wanted, who take turns with the keys. */
export function toCallers(url: string, { keys }: Data, count: number): { url: string; key: string }[] {
  return Array.from({ length: count }, (_, nth) => ({ url, key: keys[nth % keys.length] ?? '' }))
}
