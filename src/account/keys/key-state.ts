import type { Key, KeyHolder, Member } from '../../store/account.ts'

export type KeyState = 'active' | 'expired' | 'revoked' | 'member removed'

/**
 * Whether a key may still be used, and if not, why. `holder` is the member who holds it; `now` in milliseconds since
 * 1970.
 */
export function keyState(
  { revokedAt, expiresAt, memberId }: Pick<Key, 'revokedAt' | 'expiresAt' | 'memberId'>,
  holder: Pick<Member, 'removedAt'> | null | undefined,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return memberId !== null && holder?.removedAt !== null ? 'member removed' : 'active'
}

/** Whether a key opens its project: the key is active, the project is not removed and the account not suspended. */
export function isLive({ key, project, account, member }: KeyHolder, now: number): boolean {
  return keyState(key, member, now) === 'active' && account.suspendedAt === null && project.removedAt === null
}
