/** A bounded cache that evicts the least recently used entry. */
export type Lru<Key, Value> = {
  /** The value of a key, which becomes the most recently used one; undefined if there is none. */
  get: (key: Key) => Value | undefined
  /** As `get`, but without marking the entry as used, which takes a third of the time. */
  peek: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => void
  delete: (key: Key) => void
  clear: () => void
  /** Number of entries, and the sum of their sizes (0 without `sizeOf`). */
  count: () => number
  totalSize: () => number
}

type LruBounds<Key, Value> = {
  maxEntries: number
  /** Maximum sum of `sizeOf` over all entries; a value that exceeds it by itself is not kept. */
  maxTotalSize?: number
  sizeOf?: (value: Value, key: Key) => number
}

/**
 * After this many changes the iterator over the oldest entries is replaced: one that never advances would keep every
 * former table of the Map in memory.
 */
const CHANGES_PER_ITERATOR = 1_024

/** Creates an empty cache. `undefined` cannot be stored. Every operation takes amortized constant time. */
export function createLru<Key, Value>(bounds: LruBounds<Key, Value>): Lru<Key, Value> {
  const { maxEntries, maxTotalSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = bounds
  // A Map iterates in order of insertion: the least recently used entry is the first one.
  const entries = new Map<Key, Value>()
  let total = 0
  // Kept from one eviction to the next: a new one steps over all that was deleted since the map was packed, half of the
  // entries or more.
  let oldest = entries.keys()
  let changes = 0

  function put(key: Key, value: Value): void {
    entries.set(key, value)
    if (++changes % CHANGES_PER_ITERATOR === 0) oldest = entries.keys()
  }

  function remove(key: Key): void {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    total -= sizeOf(value, key)
  }

  return {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      put(key, value)
      return value
    },
    peek: (key) => entries.get(key),
    set: (key, value) => {
      remove(key)
      const size = sizeOf(value, key)
      if (size > maxTotalSize) return
      put(key, value)
      total += size
      while (entries.size > maxEntries || total > maxTotalSize) {
        const { value: last, done } = oldest.next()
        if (done) break
        remove(last)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      oldest = entries.keys()
      total = 0
    },
    count: () => entries.size,
    totalSize: () => total,
  }
}
