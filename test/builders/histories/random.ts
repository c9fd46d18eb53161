export type Random = ReturnType<typeof createRandom>

/** Numbers that look random and are the same for the same seed (Mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 to below the bound. */
  const below = (bound: number) => Math.floor(next() * bound)

  return {
    below,
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    /** A UUID of version 4. */
    uuid: () => {
      const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('')
      return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
    },
  }
}
