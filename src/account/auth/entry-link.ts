import { Refusal } from '../../errors.ts'
import { digestOf } from '../../secrets/key.ts'
import { makeRandomSecret } from '../../secrets/random-secret.ts'
import type { Account, Member } from '../../store/account.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import { recordEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { requireUnchanged } from '../organizations/member.ts'
import { type Actor, toActorId, toMemberActor } from './actor.ts'
import { replacePassword } from './change-password.ts'
import { hashPassword } from './password.ts'
import { openSession } from './session.ts'

const HOUR_MS = 60 * 60 * 1000
/** How long a link works, in milliseconds. */
export const LINK_LIFETIME_MS = 48 * HOUR_MS

/** Where the service answers a link; the token follows. */
export const ENTRY_PATH = '/console/enter/'

/** Inside a write, makes a link by which a member comes in once and chooses a password. It replaces the one before. Returns its token. */
export async function insertEntryLink(ctx: AppContext, tx: ControlWrites, { id }: Member, actor: Actor): Promise<string> {
  const token = makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  await tx.deleteEntryLinks(id)
  await tx.insertEntryLink({
    digest: digestOf(token),
    memberId: id,
    madeBy: toActorId(actor),
    createdAt: now,
    expiresAt: now + LINK_LIFETIME_MS,
  })
  return token
}

/** The same in a write of its own, noted in the audit log. Their old password works until the link is used. Throws a Refusal for a member of another role by now. */
export function makeEntryLink(ctx: AppContext, member: Member, by: Actor): Promise<string> {
  return ctx.store.control.write(async (tx) => {
    await requireUnchanged(tx, member)
    await recordEvent(ctx, tx, by, { act: 'member.link', accountId: member.accountId, target: member.id, details: { email: member.email } })
    return insertEntryLink(ctx, tx, member, by)
  })
}

/** Whom a link lets in. Throws one Refusal for a link that was never made, is used, replaced or too old. */
export async function requireLinked({ store, clock }: AppContext, token: string): Promise<Member> {
  return (await linked(store.control, token, clock.now())).member
}

/**
 * Sets the password of whom a link lets in, ends their sessions and begins a new one. The link is used up. Returns the session's token. Throws
 * TooMany for attempts from one address.
 */
export async function enterByLink(ctx: AppContext, token: string, password: string, address: string): Promise<string> {
  await requireLinked(ctx, token)
  consumeAttempt(ctx, 'password from', address)
  const hash = await hashPassword(password)
  return ctx.store.control.write(async (tx) => {
    const actor = toMemberActor(await linked(tx, token, ctx.clock.now()), address)
    await replacePassword(ctx, tx, hash, actor)
    return openSession(ctx, tx, actor)
  })
}

async function linked(reads: ControlReads, token: string, now: number): Promise<{ member: Member; account: Account }> {
  const link = await reads.findEntryLink(digestOf(token))
  const member = link && link.expiresAt > now ? await reads.findMember(link.memberId) : undefined
  const account = member && (await reads.findAccount(member.accountId))
  if (member === undefined || account?.suspendedAt !== null) throw new Refusal('this link is not valid any more; ask for a new one')
  return { member, account }
}
