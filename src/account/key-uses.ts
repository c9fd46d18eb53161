import type { KeyUse } from '../store/control.ts'
import type { Means } from './means.ts'

/** When each key was last used, of those not written yet. */
export type KeyUses = {
  /** `at` in milliseconds since 1970. */
  add: (id: string, at: number) => void
  /** Takes out at most so many. */
  take: (most: number) => KeyUse[]
}

export function createKeyUses(): KeyUses {
  const uses = new Map<string, number>()
  return {
    add: (id, at) => void uses.set(id, at),
    take: (most) => {
      const taken = [...uses.entries().take(most)].map(([id, at]) => ({ id, at }))
      for (const { id } of taken) uses.delete(id)
      return taken
    },
  }
}

const MOST_AT_ONCE = 500

/** Writes when keys were last used, so that no call has to. */
export async function writeKeyUses({ store, keyUses }: Pick<Means, 'store' | 'keyUses'>): Promise<void> {
  for (let taken = keyUses.take(MOST_AT_ONCE); taken.length > 0; taken = keyUses.take(MOST_AT_ONCE)) {
    const uses = taken
    await store.control.write((tx) => tx.saveKeyUses(uses))
  }
}
