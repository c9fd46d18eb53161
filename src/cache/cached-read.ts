import { createLru } from './lru.ts'

const MAX_ENTRIES = 10_000

/**
 * Caches the results of a read by its arguments, which must be JSON values, until `version` returns another number.
 * `undefined` is not cached, so that lookups of guessed values take no room. At most 10 000 results; the least recently
 * used one is evicted.
 */
export function cacheRead<Args extends unknown[], Result>(
  read: (...args: Args) => Promise<Result>,
  version: () => number | Promise<number>,
): (...args: Args) => Promise<Result> {
  const results = createLru<string, Result>({ maxEntries: MAX_ENTRIES })
  let cachedAt: number | undefined

  return async (...args) => {
    const known = version()
    const current = typeof known === 'number' ? known : await known
    if (current !== cachedAt) results.clear()
    cachedAt = current
    const key = JSON.stringify(args)
    const cached = results.get(key)
    if (cached !== undefined) return cached
    const found = await read(...args)
    // The data may have changed during the read.
    if (found !== undefined && cachedAt === current) results.set(key, found)
    return found
  }
}
