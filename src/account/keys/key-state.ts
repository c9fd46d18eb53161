import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'

export type KeyState = 'active' | 'expired' | 'revoked' | 'member removed'

/** Whether a key still opens something, and if not, why. `member` is who holds it; `now` in milliseconds since 1970. */
export function keyState(key: Pick<Key, 'revokedAt' | 'expiresAt'>, member: Pick<Member, 'removedAt'> | undefined, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired'
  return member !== undefined && member.removedAt !== null ? 'member removed' : 'active'
}
