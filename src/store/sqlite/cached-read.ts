import { createLru } from '../../cache/lru.ts'

const MAX_ENTRIES = 10_000

/**
 * Caches the results of a read by its arguments, which must be JSON values, until `version` gives another number. `undefined` is not cached,
 * so that guesses take no room. At most 10 000 results; the least recently used gives way.
 */
export function cacheRead<Args extends unknown[], Result>(
  read: (...args: Args) => Promise<Result>,
  version: () => number,
): (...args: Args) => Promise<Result> {
  const results = createLru<string, Result>({ maxEntries: MAX_ENTRIES })
  let cachedAt = version()

  return async (...args) => {
    const current = version()
    if (current !== cachedAt) results.clear()
    cachedAt = current
    const key = JSON.stringify(args)
    const known = results.get(key)
    if (known !== undefined) return known
    const found = await read(...args)
    // The file may have changed during the read.
    if (found !== undefined && cachedAt === current) results.set(key, found)
    return found
  }
}
