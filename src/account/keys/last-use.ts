import type { Key } from '../../store/key.ts'
import type { AppContext } from '../context.ts'

/**
 * Evidence that a new key works: when a program last used it (milliseconds since 1970), and whether a hosted assistant
 * is connected with it.
 */
export type Arrival = { usedAt: number | undefined; isConnected: boolean }

/** Reads whether a key has been used. A use that another process of the service saw is known within a minute. */
export async function readArrival({ store, keyUses }: AppContext, { id, lastUsedAt }: Key): Promise<Arrival> {
  return {
    usedAt: keyUses.find(id) ?? lastUsedAt ?? undefined,
    isConnected: (await store.control.count('connections', { keyId: id })) > 0,
  }
}
