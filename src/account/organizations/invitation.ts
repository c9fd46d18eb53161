import { Refusal } from '../../errors.ts'
import { digestOf } from '../../secrets/key.ts'
import { makeRandomSecret } from '../../secrets/random-secret.ts'
import type { Account, Department, Role } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { recordEvent } from '../audit/audit.ts'
import { type Actor, toActorId, toMemberActor } from '../auth/actor.ts'
import { hashPassword } from '../auth/password.ts'
import { openSession } from '../auth/session.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { newMember, refuseKnownEmail } from './member.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_VALIDITY_MS = 30 * DAY_MS

/** Where the service answers a link; the token follows. */
export const INVITATION_PATH = '/console/join/'

/** `validity` in milliseconds. */
type Wish = { email: string; role: Role; department?: Department | undefined; validity: number }

/**
 * Invites a person by a link that works once; `token` is its secret part and is nowhere kept. A later invitation of the address
 * replaces this one. Throws a Refusal for a member's address, a department of another account, a validity beyond 30 days.
 */
export async function inviteMember(
  ctx: AppContext,
  account: Account,
  wish: Wish,
  by: Actor,
): Promise<{ token: string; invitation: Invitation }> {
  if (wish.validity <= 0 || wish.validity > MAX_VALIDITY_MS) throw new Refusal('an invitation is valid for at most 30 days')
  const token = makeRandomSecret(ctx.random)
  const { id, accountId, email, role, departmentId, createdAt } = newMember(ctx, account, { ...wish, name: 'invited' })
  const expiresAt = createdAt + wish.validity
  const invitation = { id, digest: digestOf(token), accountId, email, role, departmentId, madeBy: toActorId(by), createdAt, expiresAt }
  await ctx.store.control.write(async (tx) => {
    await refuseKnownEmail(tx, account.id, email)
    await tx.deleteInvitations(account.id, email)
    await tx.insertInvitation(invitation)
    await recordEvent(ctx, tx, by, { act: 'member.invite', accountId, target: id, details: { email, role, department: departmentId } })
  })
  return { token, invitation }
}

/** An invitation and the account it leads into. */
type Invited = { invitation: Invitation; account: Account }

/** The invitation behind a link. Throws one Refusal for a link that was never made, is used, replaced, withdrawn or too old, or of a suspended account. */
export async function requireInvitation({ store, clock }: AppContext, token: string): Promise<Invited> {
  return findInvited(store.control, token, clock.now())
}

type Joining = { name: string; password: string; address: string }

/**
 * Makes the invited person a member, under the name and with the password they give, and begins their session. The link is used up.
 * Returns the session's token. Throws a Refusal as `requireInvitation`, and for a bad name or password; TooMany for attempts from one address.
 */
export async function acceptInvitation(ctx: AppContext, token: string, { name, password, address }: Joining): Promise<string> {
  await requireInvitation(ctx, token)
  consumeAttempt(ctx, 'password from', address)
  const hash = await hashPassword(password)
  return ctx.store.control.write(async (tx) => {
    const { invitation, account } = await findInvited(tx, token, ctx.clock.now())
    const { accountId, email, role, departmentId } = invitation
    const departments = await tx.listDepartments(accountId)
    await refuseKnownEmail(tx, account.id, email)
    const member = newMember(ctx, account, { email, name, role, department: departments.find(({ id }) => id === departmentId) })
    await tx.deleteInvitations(accountId, email)
    await tx.insertMember(member)
    await tx.savePassword(member.id, hash)
    const actor = toMemberActor({ member, account }, address)
    await recordEvent(ctx, tx, actor, { act: 'member.join', accountId, target: member.id, details: { email } })
    return openSession(ctx, tx, actor)
  })
}

/** Withdraws the invitation of an address. Throws a Refusal when there is none. */
export async function withdrawInvitation(ctx: AppContext, account: Account, address: string, by: Actor): Promise<void> {
  const email = address.trim().toLowerCase()
  await ctx.store.control.write(async (tx) => {
    if ((await tx.deleteInvitations(account.id, email)) === 0) throw new Refusal(`no invitation of '${address}'`)
    await recordEvent(ctx, tx, by, { act: 'member.uninvite', accountId: account.id, details: { email } })
  })
}

const NOT_VALID = 'this invitation is not valid any more; ask for a new one'

async function findInvited(reads: ControlReads, token: string, now: number): Promise<Invited> {
  const invitation = await reads.findInvitation(digestOf(token))
  const account = invitation && invitation.expiresAt > now ? await reads.findAccount(invitation.accountId) : undefined
  if (invitation === undefined || account?.suspendedAt !== null) throw new Refusal(NOT_VALID)
  return { invitation, account }
}
