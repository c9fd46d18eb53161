import { Refusal } from '../../errors.ts'
import type { ControlWrites } from '../../store/control.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import type { MemberActor } from './actor.ts'
import { findPassword } from './password.ts'
import { openSession } from './session.ts'

const NOT_RIGHT = 'the current password is not right'

/**
 * Changes the actor's own password. All their sessions end, and a new one begins on the device, as `Session` names it.
 * Returns its token.
 *
 * @throws Refusal for a wrong current password, or a new one that is too short or too long. TooMany for too many
 *   attempts.
 */
export async function changePassword(
  ctx: AppContext,
  actor: MemberActor,
  { old, password, device = null }: { old: string; password: string; device?: string | null },
): Promise<string> {
  const { id } = actor.member
  await consumeAttempt(ctx, 'password change by', id)
  const present = await findPassword(ctx.store.control, id)
  if (!(await ctx.passwords.verify(old, present))) throw new Refusal(NOT_RIGHT, 'old')
  const hash = await ctx.passwords.hash(password)
  return ctx.store.control.write(async (tx) => {
    if ((await findPassword(tx, id)) !== present) throw new Refusal(NOT_RIGHT, 'old')
    await replacePassword(ctx, tx, actor, hash)
    return openSession(ctx, tx, actor, device)
  })
}

/**
 * Sets the actor's own password inside a write. Ends their sessions and sign-in links, and forgets their known
 * browsers.
 */
export async function replacePassword(
  ctx: AppContext,
  tx: ControlWrites,
  actor: MemberActor,
  hash: string,
): Promise<void> {
  const { id } = actor.member
  await tx.save('passwords', { memberId: id, hash })
  await tx.delete('sessions', { memberId: id })
  await tx.delete('browsers', { memberId: id })
  await tx.delete('entryLinks', { memberId: id })
  await recordEvent(ctx, tx, actor, toEvent('member.password', actor.member))
}
