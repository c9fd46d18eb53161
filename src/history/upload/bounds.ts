import { limitsOf } from '../../account/limits/plan.ts'
import { DAY_MS } from '../../clock.ts'
import type { Account } from '../../store/account.ts'
import { sumBytes } from '../../store/history.ts'
import type { HistoryReads } from '../../store/history-verbs.ts'
import { UploadRefusal } from './upload-refusal.ts'

/**
 * Preferred size of a segment before compression, in bytes: it becomes one block, so that this much is inflated to read
 * a line.
 */
export const SEGMENT_BYTES = 2 ** 19
/** Maximum number of lines of a segment, which are stored in one write. */
export const MAX_SEGMENT_LINES = 1_024
/** Maximum size of a segment: a line that is longer than the preferred size is sent alone. */
export const MAX_SEGMENT_BYTES = 4 * 2 ** 20
/** Maximum size of a request's body, compressed. */
export const MAX_COMPRESSED_BYTES = 1.5 * 2 ** 20
/** Maximum number of sources in one request for heads. */
export const MAX_HEADS = 500

/** The chain before the first segment. */
export const FIRST_CHAIN = '0'.repeat(64)

/** A time further in the future than this comes from a wrong clock. */
const MAX_AHEAD_MS = DAY_MS

/** A time in milliseconds since 1970; null if it cannot be right, because it is in the future. */
export const toPastTime = (at: number | null, now: number): number | null =>
  at !== null && at > now + MAX_AHEAD_MS ? null : at

/**
 * Checks, in a write, that the account's plan has room.
 *
 * @throws UploadRefusal if it has no room for `bytes` more.
 */
export async function requireRoom(
  tx: Pick<HistoryReads, 'listOwners'>,
  account: Account,
  bytes: number,
): Promise<void> {
  const { historyBytes } = limitsOf(account)
  if (sumBytes(await tx.listOwners()) + bytes > historyBytes) {
    throw new UploadRefusal('quota', `session history limit exceeded (${historyBytes} bytes)`)
  }
}
