import type { Means } from '../account/means.ts'
import type { OAuthClient } from '../store/oauth.ts'

const DAY = 24 * 60 * 60 * 1000
/** An application that nobody has connected in this time is forgotten. It learns so by `invalid_client`, and comes anew. */
export const UNUSED_FOR = 90 * DAY
/** Most applications kept that never got a connection: anybody may register one. */
const MOST_UNUSED = 5_000

/** Keeps an application, and forgets those that are not used. */
export async function keepClient({ store, clock }: Pick<Means, 'store' | 'clock'>, client: OAuthClient): Promise<void> {
  await store.control.write(async (tx) => {
    await tx.saveClient(client)
    await tx.purgeClients(clock.now() - UNUSED_FOR, MOST_UNUSED)
  })
}
