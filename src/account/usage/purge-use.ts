import { DAY_MS } from '../../clock.ts'
import type { ControlWrites } from '../../store/control.ts'
import type { AppContext } from '../context.ts'
import { toDay } from './call-uses.ts'

/** Number of days that counts of calls are kept. */
export const USE_DAYS = 400
/** Number of days that calls are kept which were refused or failed. */
export const CALL_ERROR_DAYS = 30
const PURGE_BATCH = 500

/**
 * Erases counts of calls that are older than 400 days, and refused and failed calls that are older than 30, in short
 * transactions that let other writes in between, until all are erased or it is stopped.
 */
export async function purgeUse(
  { store, clock }: AppContext,
  isStopped = () => false,
  now = clock.now(),
): Promise<void> {
  const purge = async (erase: (tx: ControlWrites) => Promise<number>) => {
    while (!isStopped() && (await store.control.write(erase)) === PURGE_BATCH);
  }
  await purge((tx) => tx.delete('dailyUse', { day: { before: toDay(now) - USE_DAYS } }, PURGE_BATCH))
  await purge((tx) => tx.delete('callErrors', { at: { before: now - CALL_ERROR_DAYS * DAY_MS } }, PURGE_BATCH))
}
