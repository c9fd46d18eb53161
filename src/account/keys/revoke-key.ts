import { Refusal } from '../../errors.ts'
import { isWholeKey, looksLikeKey } from '../../secrets/key.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { ControlReads } from '../../store/control.ts'
import type { Key, KeyHolder } from '../../store/key.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { toKeyEvent } from './issue-key.ts'
import { requireMayRevoke } from './visible-keys.ts'

/**
 * The key with this id, with these characters as lists show them, or the key itself.
 *
 * @throws Refusal if there is none or there are several. Its message does not repeat any part of a secret that was
 *   given.
 */
export async function requireKey({ store }: AppContext, ref: string): Promise<Key> {
  if (looksLikeKey(ref)) return requireWholeKey(store.control, ref)
  const found = [
    ...(await store.control.list('keys', { id: ref })),
    ...(await store.control.list('keys', { shown: ref })),
  ]
  const [only] = found
  if (only === undefined) throw new Refusal(`no key '${ref}'`)
  if (found.length > 1) throw new Refusal(`several keys are shown as '${ref}'; give the key's id`)
  return only
}

async function requireWholeKey(control: ControlReads, secret: string): Promise<Key> {
  if (!isWholeKey(secret))
    throw new Refusal('this key is cut short or mistyped; give its id, or the characters that lists show')
  const holder = await control.findKeyHolder({ digest: sha256Hex(secret) })
  if (holder === undefined) throw new Refusal('there is no such key')
  return holder.key
}

/**
 * Revokes a key. It is dead at the next call, and so are the OAuth connections made with it.
 *
 * @throws Refusal for an actor who may not.
 */
export async function revokeKey(ctx: AppContext, actor: Actor, { id }: Key): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const { project, key } = await requireHolder(tx, id)
    requireMayRevoke(actor, project, key)
    await tx.update('keys', { id }, { revokedAt: key.revokedAt ?? ctx.clock.now() })
    await recordEvent(ctx, tx, actor, toKeyEvent('key.revoke', project, key, { label: key.label }))
  })
}

/** The key as it is in the store now, with what it opens. */
export async function requireHolder(tx: ControlReads, id: string): Promise<KeyHolder> {
  const holder = await tx.findKeyHolder({ id })
  if (holder === undefined) throw new Refusal(`no key '${id}'`)
  return holder
}
