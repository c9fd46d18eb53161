/** Lists of numbers in one circular buffer of fixed size: the oldest lists are overwritten first. */
export type Ring<Key> = {
  /** A copy of the list of a key; undefined if there is none, or it was overwritten. */
  get: (key: Key) => Uint32Array | undefined
  /** Stores a copy of the list, unless it is longer than the buffer. */
  set: (key: Key, numbers: Uint32Array) => void
}

type RingBounds = {
  /** Size of the buffer in 32-bit numbers. */
  maxNumbers: number
  /** Maximum number of keys; the one set first is dropped first. */
  maxEntries: number
}

/**
 * Creates an empty ring. Unlike an LRU of arrays it produces no garbage of large arrays, since all lists are in one
 * array that is allocated here.
 */
export function createRing<Key>({ maxNumbers, maxEntries }: RingBounds): Ring<Key> {
  const block = new Uint32Array(maxNumbers)
  // In the order of writing. Positions count all numbers ever written, so they tell whether a list has been
  // overwritten.
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
