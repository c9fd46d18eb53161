import type { AppContext } from '../context.ts'
import { toDay } from './call-uses.ts'

/** Number of days that counts of calls are kept. */
export const USE_DAYS = 400
const PURGE_BATCH = 500

/** Erases counts of calls that are older than 400 days, in short transactions that let other writes in between, until all are erased or it is stopped. */
export async function purgeUse({ store, clock }: AppContext, isStopped = () => false, now = clock.now()): Promise<void> {
  const before = toDay(now) - USE_DAYS
  while (!isStopped() && (await store.control.write((tx) => tx.delete('dailyUse', { day: { before } }, PURGE_BATCH))) === PURGE_BATCH);
}
