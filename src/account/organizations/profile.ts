import { Refusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import type { ControlWrites } from '../../store/control.ts'
import type { AddressWish } from '../../store/sign-in.ts'
import { recordEvent } from '../audit/audit.ts'
import { type Actor, toMemberActor } from '../auth/actor.ts'
import { requireManager, requireMayChange } from '../auth/authorize.ts'
import type { Visitor } from '../auth/session.ts'
import type { AppContext } from '../context.ts'
import { refuseKnownEmail, requireEmail, requireMember } from './member.ts'
import { requireName } from './name.ts'

type Profile = { name: string; email: string }

/** Wishes that one page lists. */
const MAX_LISTED = 50

/**
 * Changes what a member is called, and notes another address that they want: it is theirs once somebody who manages the account confirms it. What
 * this returns, whether there is such a wish, does not depend on who has the address. Throws a Refusal for a bad name or address.
 */
export async function changeProfile(ctx: AppContext, member: Member, wish: Profile, by: Actor): Promise<{ wished: boolean }> {
  const [name, email] = [requireName('the member name', wish.name), requireEmail(wish.email)]
  return ctx.store.control.write(async (tx) => {
    const current = await requireCurrent(tx, member)
    const deed = { accountId: current.accountId, target: current.id }
    if (name !== current.name) {
      await tx.updateMember(current.id, { name })
      await recordEvent(ctx, tx, by, { ...deed, act: 'member.change', details: { from: current.name, name } })
    }
    const wished = email !== current.email
    if (wished) await tx.saveAddressWish({ memberId: current.id, email, wishedAt: ctx.clock.now() })
    if (wished) await recordEvent(ctx, tx, by, { ...deed, act: 'member.wish-address', details: { from: current.email, email } })
    return { wished }
  })
}

/** Takes back the wish for another address. Nothing happens where there is none. */
export async function withdrawAddressWish(ctx: AppContext, member: Member, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    if ((await tx.findAddressWish(member.id)) !== undefined) await dropWish(ctx, tx, member, by, 'member.withdraw-address')
  })
}

/** Wishes of members of an account with whose they are, the oldest first, for those who manage it. Throws a Refusal for others. */
export async function listAddressWishes(ctx: AppContext, visitor: Visitor): Promise<(AddressWish & { member: Member })[]> {
  requireManager(toMemberActor(visitor, null), visitor.account.id)
  const wishes = await ctx.store.control.listAddressWishes(visitor.account.id, MAX_LISTED)
  return Promise.all(wishes.map(async (wish) => ({ ...wish, member: await requireMember(ctx, wish.memberId, visitor.account) })))
}

/** What somebody who manages an account decides: `email` is the address that they saw. */
export type AddressDecision = { memberId: string; email: string; confirmed: boolean }

/**
 * Gives a member the address they want, or declines that. Throws a Refusal for a visitor who may not change that member, for a wish that is not
 * there or for another address by now, and for the address of another member of the account.
 */
export async function decideAddress(ctx: AppContext, visitor: Visitor, decision: AddressDecision, by: Actor): Promise<void> {
  requireManager(by, visitor.account.id)
  await ctx.store.control.write(async (tx) => {
    const member = await tx.findMember(decision.memberId, visitor.account.id)
    if (member === undefined) throw new Refusal(`no member '${decision.memberId}'`)
    requireMayChange(by, member.accountId, member.role)
    const wish = await tx.findAddressWish(member.id)
    if (wish?.email !== decision.email) throw new Refusal('there is no such wish any more; look again')
    if (!decision.confirmed) return dropWish(ctx, tx, member, by, 'member.decline-address')
    await refuseKnownEmail(tx, member.accountId, wish.email)
    await tx.updateMember(member.id, { email: wish.email })
    await dropWish(ctx, tx, member, by, 'member.address', { from: member.email, email: wish.email })
  })
}

async function dropWish(ctx: AppContext, tx: ControlWrites, member: Member, by: Actor, act: string, details = {}): Promise<void> {
  await tx.deleteAddressWish(member.id)
  await recordEvent(ctx, tx, by, { act, accountId: member.accountId, target: member.id, details })
}

async function requireCurrent(tx: ControlWrites, { id, email }: Member): Promise<Member> {
  const current = await tx.findMember(id)
  if (current === undefined) throw new Refusal(`no member '${email}'`)
  return current
}
