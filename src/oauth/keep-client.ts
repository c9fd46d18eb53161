import type { AppContext } from '../account/context.ts'
import type { OAuthClient } from '../store/oauth.ts'

const HOUR = 60 * 60 * 1000
/** An application that nobody has connected in this time is forgotten. It learns so by `invalid_client`, and comes anew. */
const FORGOTTEN_AFTER_MS = 90 * 24 * HOUR
/** The same for one that nobody ever connected: anybody may register one, and its person answers within minutes. */
const UNUSED_FORGOTTEN_AFTER_MS = 24 * HOUR
/** Most applications kept that never got a connection; beyond, the oldest are forgotten. */
const MAX_UNUSED = 3_000
/** Most applications that one address makes known in a day, so that it cannot push out all of the others'. */
const MAX_NEW_OF_ADDRESS = 1_000

/** Takes a place for an application that is not known yet. Throws TooMany. */
export function takeNewClient({ newClients, clock }: AppContext, address: string): void {
  newClients.take(address, MAX_NEW_OF_ADDRESS, clock.ticks())
}

/** Keeps an application, and forgets those that are not used. */
export async function keepClient({ store, clock }: AppContext, client: OAuthClient): Promise<void> {
  const now = clock.now()
  const bounds = { before: now - FORGOTTEN_AFTER_MS, unusedBefore: now - UNUSED_FORGOTTEN_AFTER_MS, keepUnused: MAX_UNUSED }
  await store.control.write(async (tx) => {
    await tx.saveClient(client)
    await tx.purgeClients(bounds)
  })
}

/** Whether an application is forgotten, though its row may still be there. */
export function isForgotten({ readAt, usedAt }: OAuthClient, now: number): boolean {
  return usedAt === null ? now - readAt >= UNUSED_FORGOTTEN_AFTER_MS : now - Math.max(readAt, usedAt) >= FORGOTTEN_AFTER_MS
}
