import { HOUR_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { makeRandomSecret, sha256Hex } from '../../secrets/secret.ts'
import type { Member } from '../../store/account.ts'
import type { ControlReads, ControlWrites } from '../../store/control.ts'
import type { EntryLink } from '../../store/sign-in.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { requireUnchanged } from '../organizations/member.ts'
import { type AccountMember, type Actor, requireMayChange, toActorId, toMemberActor } from './actor.ts'
import { replacePassword } from './change-password.ts'
import { hasUploaded } from './history-access.ts'
import { findPassword } from './password.ts'
import { openSession } from './session.ts'

/** How long a sign-in link works, in milliseconds. */
export const LINK_LIFETIME_MS = 48 * HOUR_MS

/** The path of a sign-in link, without its token. */
export const ENTRY_PATH = '/console/enter/'

/**
 * Makes a link by which a member signs in once and chooses a password. It replaces the previous link, unless the first
 * run printed that one. Using one link invalidates all others; until then the old password works. Returns the link's
 * token.
 *
 * @throws Refusal for an actor who may not change the member, and if the member's role has changed meanwhile.
 */
export function makeEntryLink(ctx: AppContext, actor: Actor, member: Member): Promise<string> {
  const { accountId, email } = member
  return ctx.store.control.write(async (tx) => {
    const current = await requireUnchanged(tx, member)
    requireMayChange(actor, accountId, current.role)
    await recordEvent(ctx, tx, actor, toEvent('member.link', member, { email }))
    return insertEntryLink(ctx, tx, actor, member)
  })
}

/** The creator of the first run's link, as stored. */
const FIRST_RUN = 'first run'

/**
 * Makes a sign-in link inside a write, replacing the previous one. Returns its token; only a digest of it is stored.
 */
export async function insertEntryLink(
  ctx: AppContext,
  tx: ControlWrites,
  actor: Actor,
  { id }: Member,
): Promise<string> {
  const token = makeRandomSecret(ctx.random)
  const now = ctx.clock.now()
  for (const { digest, madeBy } of await tx.list('entryLinks', { memberId: id }))
    if (madeBy !== FIRST_RUN) await tx.delete('entryLinks', { digest })
  const madeBy = actor.kind === 'operator' ? actor.via : toActorId(actor)
  const link = { digest: sha256Hex(token), memberId: id, madeBy, createdAt: now, expiresAt: now + LINK_LIFETIME_MS }
  await tx.insert('entryLinks', link)
  return token
}

/**
 * The member whom a sign-in link is for.
 *
 * @throws Refusal, the same for a link that was never made, is used, replaced or expired, and for one of a suspended
 *   account.
 */
export async function requireLinked({ store, clock }: AppContext, token: string): Promise<Member> {
  return (await findLinked(store.control, token, clock.now())).member
}

/** `clientIp` of the browser, `device` as `Session` names it. */
type Entry = { token: string; password: string; clientIp: string; device?: string | null }

/**
 * Sets the password of the member whom a sign-in link is for, ends their sessions and begins a new one. The link is
 * used up. If somebody else made it, the session histories that the member has uploaded are withheld from their
 * sign-in; if there are none, the keys of an earlier sign-in, which may have been that of somebody else, read none of
 * those to come. Returns the session's token.
 *
 * @throws Refusal as `requireLinked`, and for a password that is too short or too long. TooMany for too many attempts
 *   from this client.
 */
export async function enterByLink(
  ctx: AppContext,
  { token, password, clientIp, device = null }: Entry,
): Promise<string> {
  const { id } = await requireLinked(ctx, token)
  await consumeAttempt(ctx, 'password from', clientIp)
  const hash = await ctx.passwords.hash(password)
  const historyAccess = (await hasUploaded(ctx, id)) ? 'withheld' : 'unconfirmed'
  return ctx.store.control.write(async (tx) => {
    const { link, ...holder } = await findLinked(tx, token, ctx.clock.now())
    const actor = toMemberActor(holder, clientIp)
    if (link.madeBy !== FIRST_RUN && link.madeBy !== toActorId(actor)) {
      if (historyAccess === 'unconfirmed' && (await findPassword(tx, id)) !== undefined) await endReading(tx, id)
      await tx.update('members', { id }, { historyAccess })
    }
    await replacePassword(ctx, tx, actor, hash)
    return openSession(ctx, tx, actor, device)
  })
}

/** Lets the keys that a member holds upload session histories and not read them. */
async function endReading(tx: ControlWrites, memberId: string): Promise<void> {
  for (const { id, readsHistories } of await tx.list('keys', { memberId }))
    if (readsHistories) await tx.update('keys', { id }, { readsHistories: false })
}

async function findLinked(
  reads: ControlReads,
  token: string,
  now: number,
): Promise<AccountMember & { link: EntryLink }> {
  const link = await reads.find('entryLinks', { digest: sha256Hex(token) })
  const [member] = link && link.expiresAt > now ? await reads.findMembers(link.memberId, 1) : []
  const account = member && (await reads.find('accounts', { id: member.accountId }))
  if (link === undefined || member === undefined || account?.suspendedAt !== null)
    throw new Refusal('this link is no longer valid; ask for a new one')
  return { link, member, account }
}
