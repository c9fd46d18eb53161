import { limitsOf } from '../../account/limits/plan.ts'
import { UploadRefusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import type { HistoryReads } from '../../store/history.ts'

/**
 * Checks, in a write, that the account's plan has room.
 *
 * @throws UploadRefusal if it has no room for `bytes` more.
 */
export async function requireRoom(tx: Pick<HistoryReads, 'readHistoryBytes'>, account: Account, bytes: number): Promise<void> {
  const { historyBytes } = limitsOf(account)
  if ((await tx.readHistoryBytes()) + bytes > historyBytes) {
    throw new UploadRefusal('quota', `session history limit exceeded (${historyBytes} bytes)`)
  }
}
