import type { Use } from '../../store/key.ts'
import type { AppContext } from '../context.ts'

/** When each key or connection was last used, of those not written yet. */
export type Uses = {
  /** `at` in milliseconds since 1970. */
  add: (id: string, at: number) => void
  /** Takes out at most so many. */
  take: (most: number) => Use[]
}

export function createUses(): Uses {
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

const WRITE_BATCH = 500

/** Writes when keys and connections were last used, so that no call has to. */
export async function writeUses({ store, keyUses, connectionUses }: AppContext): Promise<void> {
  await drain(keyUses, (uses) => store.control.write((tx) => tx.saveKeyUses(uses)))
  await drain(connectionUses, (uses) => store.control.write((tx) => tx.saveConnectionUses(uses)))
}

async function drain(uses: Uses, save: (taken: Use[]) => Promise<void>): Promise<void> {
  for (let taken = uses.take(WRITE_BATCH); taken.length > 0; taken = uses.take(WRITE_BATCH)) await save(taken)
}
