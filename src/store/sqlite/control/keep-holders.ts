import type { ControlReads, KeyHolder } from '../../control.ts'

/** Most digests remembered between changes of the control file. */
const MOST_KEPT = 10_000

/** Keeps the answers of a look-up until anybody changes the control file. */
export function keepHolders(look: ControlReads['findKeyHolder'], version: () => number): ControlReads['findKeyHolder'] {
  const kept = new Map<string, KeyHolder>()
  let keptAt = version()
  return async (digest) => {
    const current = version()
    if (current !== keptAt || kept.size >= MOST_KEPT) kept.clear()
    keptAt = current
    const known = kept.get(digest)
    if (known !== undefined) return known
    const found = await look(digest)
    if (found !== undefined) kept.set(digest, found)
    return found
  }
}
