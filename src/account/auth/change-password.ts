import { Refusal } from '../../errors.ts'
import type { ControlWrites } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { type MemberActor, toMemberActor } from './actor.ts'
import { hashPassword, isPassword } from './password.ts'
import { openSession, type Visitor } from './session.ts'

/** Changes a visitor's password, who gives the old one; every other session of theirs ends. Throws a Refusal for a wrong one. */
export async function changePassword(ctx: AppContext, visitor: Visitor, old: string, wished: string, address: string): Promise<string> {
  const { member } = visitor
  consumeAttempt(ctx, 'password change by', member.id)
  const present = await ctx.store.control.findPassword(member.id)
  if (!(await isPassword(old, present))) throw new Refusal(NOT_RIGHT)
  const hash = await hashPassword(wished)
  return ctx.store.control.write(async (tx) => {
    if ((await tx.findPassword(member.id)) !== present) throw new Refusal(NOT_RIGHT)
    const actor = toMemberActor(visitor, address)
    await replacePassword(ctx, tx, hash, actor)
    return openSession(ctx, tx, actor)
  })
}

const NOT_RIGHT = 'the present password is not right'

/** Inside a write, sets a member's password, by which every session of theirs ends, every browser is unknown again, and every link by which another could be chosen is dead. */
export async function replacePassword(ctx: AppContext, tx: ControlWrites, hash: string, actor: MemberActor): Promise<void> {
  const { member } = actor
  await tx.savePassword(member.id, hash)
  await tx.deleteSessions(member.id)
  await tx.deleteBrowsers(member.id)
  await tx.deleteEntryLinks(member.id)
  await recordEvent(ctx, tx, actor, { act: 'member.password', accountId: member.accountId, target: member.id })
}
