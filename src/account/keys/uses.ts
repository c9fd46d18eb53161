import type { Use } from '../../store/account.ts'

/**
 * Times at which keys, or connections, were last used and which are not yet stored. Bounded by the number of keys used
 * within one upkeep interval.
 */
export type Uses = {
  /** `at` in milliseconds since 1970. */
  add: (id: string, at: number) => void
  /** The time of a use that is not stored yet; otherwise undefined. */
  find: (id: string) => number | undefined
  /** Removes and returns at most `limit` of them. */
  take: (limit: number) => Use[]
}

export function createUses(): Uses {
  const uses = new Map<string, number>()
  return {
    add: (id, at) => void uses.set(id, at),
    find: (id) => uses.get(id),
    take: (limit) => {
      const taken = [...uses.entries().take(limit)].map(([id, at]) => ({ id, at }))
      for (const { id } of taken) uses.delete(id)
      return taken
    },
  }
}
