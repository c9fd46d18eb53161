import { Refusal } from '../../errors.ts'
import type { Member } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { ControlWrites } from '../../store/control.ts'
import type { EmailChange } from '../../store/sign-in.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import { type Actor, type MemberActor, requireManager, requireMayChange } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { refuseKnownEmail } from './member.ts'
import { requireEmail, requireName } from './names.ts'

/** Maximum number of requests for another e-mail address on a page. */
const MAX_LISTED = 50

/**
 * Changes the actor's own name and, if the e-mail address differs from the present one, requests the new address, which
 * takes effect when somebody who manages the account confirms it. The answer does not depend on whether somebody else
 * has the address.
 *
 * @throws Refusal for a bad name or e-mail address.
 */
export async function changeProfile(
  ctx: AppContext,
  actor: MemberActor,
  input: { name: string; email: string },
): Promise<{ isEmailRequested: boolean }> {
  const [name, email] = [requireName('the member name', input.name), requireEmail(input.email)]
  return ctx.store.control.write(async (tx) => {
    const current = await requireCurrent(tx, actor.member)
    const { id } = current
    if (name !== current.name) {
      await tx.update('members', { id }, { name })
      await recordEvent(ctx, tx, actor, toEvent('member.change', current, { from: current.name, name }))
    }
    const isEmailRequested = email !== current.email
    if (isEmailRequested) {
      await tx.save('emailChanges', { memberId: id, email, requestedAt: ctx.clock.now() })
      await recordEvent(ctx, tx, actor, toEvent('member.wish-address', current, { from: current.email, email }))
    }
    return { isEmailRequested }
  })
}

/** Withdraws the actor's own request for another e-mail address, if there is one. */
export async function withdrawEmailChange(ctx: AppContext, actor: MemberActor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    const request = await tx.find('emailChanges', { memberId: actor.member.id })
    if (request !== undefined) await endRequest(ctx, tx, actor, actor.member, 'member.withdraw-address')
  })
}

/** The decision about a request; `email` is the address that the decider saw. */
type EmailChangeDecision = { accountId: string; memberId: string; email: string; isConfirmed: boolean }

/**
 * Gives a member the e-mail address that they requested, or declines the request.
 *
 * @throws Refusal for an actor who may not change the member, if the request was withdrawn or changed, and if another
 *   member of the account has the address.
 */
export async function decideEmailChange(ctx: AppContext, actor: Actor, decision: EmailChangeDecision): Promise<void> {
  requireManager(actor, decision.accountId)
  await ctx.store.control.write(async (tx) => {
    const member = await tx.find('members', { id: decision.memberId, accountId: decision.accountId, removedAt: null })
    if (member === undefined) throw new Refusal(`no member '${decision.memberId}'`)
    requireMayChange(actor, member.accountId, member.role)
    const request = await tx.find('emailChanges', { memberId: member.id })
    if (request?.email !== decision.email)
      throw new Refusal('this request was withdrawn or changed meanwhile; look again')
    if (!decision.isConfirmed) return endRequest(ctx, tx, actor, member, 'member.decline-address')
    await refuseKnownEmail(tx, member.accountId, request.email)
    await tx.update('members', { id: member.id }, { email: request.email })
    await endRequest(ctx, tx, actor, member, 'member.address', { from: member.email, email: request.email })
  })
}

/** A request for another e-mail address, and its member. */
export type ListedEmailChange = EmailChange & { member: Member }

/**
 * Requests of members of an account for another e-mail address, the oldest first, for those who manage it.
 *
 * @throws Refusal for others.
 */
export async function listEmailChanges(
  { store }: AppContext,
  actor: Actor,
  accountId: string,
): Promise<ListedEmailChange[]> {
  requireManager(actor, accountId)
  const members = new Map(
    (await store.control.list('members', { accountId, removedAt: null })).map((member) => [member.id, member]),
  )
  const requests = await store.control.list('emailChanges', { memberId: [...members.keys()] }, { limit: MAX_LISTED })
  return requests.flatMap((request) => {
    const member = members.get(request.memberId)
    return member === undefined ? [] : [{ ...request, member }]
  })
}

async function endRequest(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  member: Member,
  act: string,
  details?: AuditEntry['details'],
): Promise<void> {
  await tx.delete('emailChanges', { memberId: member.id })
  await recordEvent(ctx, tx, actor, toEvent(act, member, details))
}

async function requireCurrent(tx: ControlWrites, { id, email }: Member): Promise<Member> {
  const [current] = await tx.findMembers(id, 1)
  if (current === undefined) throw new Refusal(`no member '${email}'`)
  return current
}
