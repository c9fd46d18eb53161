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

/** Changes after which the place of the oldest entry is looked for anew: an iterator that is never moved on would keep every former table of the map in memory. */
const CHANGES_PER_ITERATOR = 1_024

/** Makes an empty cache. `undefined` is not a value that can be kept. Every operation takes constant time, spread over many calls. */
export function createLru<Key, Value>(bounds: LruBounds<Key, Value>): Lru<Key, Value> {
  const { maxEntries, maxTotalSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 } = bounds
  // A Map iterates in order of insertion: the least recently used entry is the first one.
  const entries = new Map<Key, Value>()
  let total = 0
  // Kept from one eviction to the next: a new one steps over all that was deleted since the map was packed, half of the entries or more.
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
