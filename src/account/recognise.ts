import { Unauthorized } from '../errors.ts'
import type { KeyHolder } from '../store/control.ts'
import { type Caller, type Origin, toCaller } from './caller.ts'
import { digestOf, isWholeKey } from './key.ts'
import type { Means } from './means.ts'

const SCHEME = 'Bearer '

/** Begins every OAuth token, so that a dead one is told from a dead key. */
export const TOKEN_PREFIX = 'svo_'

type Given = Pick<Means, 'store' | 'clock' | 'keyUses'>

/** The caller behind an `Authorization` header, which must be exactly `Bearer <key>`. Throws Unauthorized. */
export async function recognise({ store, clock, keyUses }: Given, header: string | null, origin?: Origin): Promise<Caller> {
  if (header === null || header === '') throw new Unauthorized('none')
  if (!header.startsWith(SCHEME)) throw new Unauthorized('key')
  const credential = header.slice(SCHEME.length)
  if (credential.startsWith(TOKEN_PREFIX)) throw new Unauthorized('token')
  const holder = isWholeKey(credential) ? await store.control.findKeyHolder(digestOf(credential)) : undefined
  const now = clock.now()
  if (holder === undefined || !isLive(holder, now)) throw new Unauthorized('key')
  keyUses.add(holder.key.id, now)
  return toCaller(holder, false, origin)
}

/** Whether the key, its holder, its project and its account are all there to be used. */
export function isLive({ key, project, account, member }: KeyHolder, now: number): boolean {
  if (key.revokedAt !== null) return false
  if (key.expiresAt !== null && key.expiresAt <= now) return false
  if (key.memberId !== null && (member === null || member.removedAt !== null)) return false
  return account.suspendedAt === null && project.removedAt === null
}
