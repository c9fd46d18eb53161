import { DAY_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { type IssuedKey, newKey, requireKeyRoom, toKeyEvent } from './issue-key.ts'
import { isLive } from './key-state.ts'
import { requireHolder } from './revoke-key.ts'
import { mayReadHistories, requireMayRotate } from './visible-keys.ts'

/** Maximum time for which an old key and its replacement are both valid. */
const MAX_OVERLAP_MS = 90 * DAY_MS

type Rotation = { key: Key; overlapMs: number }

/**
 * Issues a key like the given one, with the same lifetime, and lets the old one expire after `overlapMs`; with 0 it is
 * revoked at once.
 *
 * @throws Refusal for an actor who may not see the new key, an overlap beyond 90 days, a key that is no longer live,
 *   and, with an overlap, if the holder has 200 live keys of the project.
 */
export async function rotateKey(
  ctx: AppContext,
  actor: Actor,
  { key: { id, shown }, overlapMs }: Rotation,
): Promise<IssuedKey & { member: Member | null }> {
  if (overlapMs < 0 || overlapMs > MAX_OVERLAP_MS)
    throw new Refusal(`the overlap must be at most ${MAX_OVERLAP_MS / DAY_MS} days`)
  const now = ctx.clock.now()
  return ctx.store.control.write(async (tx) => {
    const holder = await requireHolder(tx, id)
    const { key, project, member } = holder
    requireMayRotate(actor, project, key)
    if (!isLive(holder, now)) throw new Refusal(`key '${shown}' is no longer valid; issue a new one`)
    const expiresAt = key.expiresAt === null ? undefined : now + key.expiresAt - key.createdAt
    const { label, toolNames } = key
    const readsHistories = key.readsHistories && mayReadHistories(actor, member?.id)
    const issued = newKey(ctx, { project, label, member: member ?? undefined, toolNames, expiresAt, readsHistories })
    if (overlapMs > 0) await requireKeyRoom(tx, issued.key, now)
    await tx.insert('keys', issued.key)
    await tx.update(
      'keys',
      { id },
      overlapMs === 0 ? { revokedAt: now } : { expiresAt: Math.min(key.expiresAt ?? Infinity, now + overlapMs) },
    )
    const details = { to: issued.key.id, overlap_seconds: Math.round(overlapMs / 1000) }
    await recordEvent(ctx, tx, actor, toKeyEvent('key.rotate', project, key, details))
    return { ...issued, member }
  })
}
