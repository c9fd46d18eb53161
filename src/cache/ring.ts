/** Lists of numbers in one block of memory of fixed size, which is written round and round: the oldest lists are overwritten first. */
export type Ring<Key> = {
  /** A copy of the list last set for the key; undefined if there is none, or it was overwritten. */
  get: (key: Key) => Uint32Array | undefined
  /** Keeps a copy of the list; one that is longer than the ring is not kept. */
  set: (key: Key, numbers: Uint32Array) => void
}

export type RingBounds = {
  /** Numbers in the ring, of four bytes each. */
  maxNumbers: number
  /** Keys remembered; the one that was set first is forgotten first. */
  maxEntries: number
}

/** Makes an empty ring. Unlike an LRU of arrays it leaves no garbage of large arrays: what it holds is one array, allocated here. */
export function createRing<Key>({ maxNumbers, maxEntries }: RingBounds): Ring<Key> {
  const block = new Uint32Array(maxNumbers)
  // In the order of writing. Positions count every number ever written, so that they tell what has been overwritten since.
  const lists = new Map<Key, { start: number; length: number }>()
  let written = 0

  return {
    get: (key) => {
      const list = lists.get(key)
      if (list === undefined || written - list.start > maxNumbers) return undefined
      const from = list.start % maxNumbers
      return block.slice(from, from + list.length)
    },
    set: (key, numbers) => {
      lists.delete(key)
      if (numbers.length > maxNumbers) return
      const untilEnd = maxNumbers - (written % maxNumbers)
      if (numbers.length > untilEnd) written += untilEnd
      lists.set(key, { start: written, length: numbers.length })
      block.set(numbers, written % maxNumbers)
      written += numbers.length
      const [oldest] = lists.keys()
      if (lists.size > maxEntries && oldest !== undefined) lists.delete(oldest)
    },
  }
}
