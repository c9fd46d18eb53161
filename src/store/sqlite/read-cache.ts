import type { Soon } from '../../soon.ts'

/** Most answers kept between changes of the file. */
const MAX_ENTRIES = 10_000

/** Keeps what a look-up found until anybody changes the file. What was not found is not kept: wrong keys take no room. */
export function cacheRead<Found>(look: (ref: string) => Soon<Found | undefined>, version: () => number): typeof look {
  const kept = new Map<string, Found>()
  let keptAt = version()

  async function lookAnew(ref: string, current: number): Promise<Found | undefined> {
    const found = await look(ref)
    // The file may have changed while this was looked for.
    if (found !== undefined && keptAt === current) kept.set(ref, found)
    return found
  }

  return (ref) => {
    const current = version()
    if (current !== keptAt || kept.size >= MAX_ENTRIES) kept.clear()
    keptAt = current
    return kept.get(ref) ?? lookAnew(ref, current)
  }
}
