/** A cache of at most this many entries; the least recently used one gives way to a new one. */
export type Lru<Key, Value> = {
  /** The value last set for the key, which is the most recently used one from then on; undefined if there is none. */
  get: (key: Key) => Value | undefined
  /** The same, but the entry becomes no more recently used, which takes a third of the time. */
  peek: (key: Key) => Value | undefined
  set: (key: Key, value: Value) => void
  delete: (key: Key) => void
  clear: () => void
  /** How many entries there are, and the sum of their sizes (0 without `sizeOf`). */
  count: () => number
  totalSize: () => number
}

export type LruBounds<Key, Value> = {
  maxEntries: number
  /** Bounds the sum of what `sizeOf` returns of each entry; one that is larger by itself is not kept. */
  maxTotalSize?: number
  sizeOf?: (value: Value, key: Key) => number
}

/** Makes an empty cache. `undefined` is not a value that can be kept. Every operation takes constant time, spread over many calls. */
export function createLru<Key, Value>(bounds: LruBounds<Key, Value>): Lru<Key, Value> {
  const { maxEntries, maxTotalSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = bounds
  // A Map iterates in order of insertion: the least recently used entry is the first one.
  const entries = new Map<Key, Value>()
  let total = 0

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
      entries.set(key, value)
      return value
    },
    peek: (key) => entries.get(key),
    set: (key, value) => {
      remove(key)
      const size = sizeOf(value, key)
      if (size > maxTotalSize) return
      entries.set(key, value)
      total += size
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxTotalSize) break
        remove(oldest)
      }
    },
    delete: remove,
    clear: () => {
      entries.clear()
      total = 0
    },
    count: () => entries.size,
    totalSize: () => total,
  }
}
