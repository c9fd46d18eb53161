import { Refusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import { isLive } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { type IssuedKey, newKey, requireHolder, toKeyDeed } from './issue-key.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Longest time in which an old key and the one that replaces it are both valid, in milliseconds. */
const MAX_OVERLAP_MS = 90 * DAY_MS

/**
 * Issues a key like the given one, for as long as that one was made for, and lets the old one expire after `overlap` milliseconds;
 * with none it is dead at once. Throws a Refusal for a key that no longer opens anything.
 */
export async function rotateKey(ctx: AppContext, old: Key, overlap: number, by: Actor): Promise<IssuedKey & { member: Member | null }> {
  if (overlap < 0 || overlap > MAX_OVERLAP_MS) throw new Refusal(`the overlap must be at most ${MAX_OVERLAP_MS / DAY_MS} days`)
  const now = ctx.clock.now()
  return ctx.store.control.write(async (tx) => {
    const holder = await requireHolder(tx, old)
    if (!isLive(holder, now)) throw new Refusal(`key '${old.shown}' is no longer valid; issue a new one`)
    const { key, project, member } = holder
    const expiresAt = key.expiresAt === null ? undefined : now + key.expiresAt - key.createdAt
    const issued = newKey(ctx, project, { label: key.label, member: member ?? undefined, toolNames: key.toolNames, expiresAt })
    await tx.insertKey(issued.key)
    await tx.updateKey(key.id, overlap === 0 ? { revokedAt: now } : { expiresAt: Math.min(key.expiresAt ?? Infinity, now + overlap) })
    await recordEvent(
      ctx,
      tx,
      by,
      toKeyDeed('key.rotate', project, key, { to: issued.key.id, overlap_seconds: Math.round(overlap / 1000) }),
    )
    return { ...issued, member }
  })
}
