import { sha256Hex } from '../../secrets/secret.ts'
import type { Member } from '../../store/account.ts'
import type { ControlReads } from '../../store/control.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { findAccount } from '../organizations/account.ts'
import { normalizeEmail } from '../organizations/names.ts'
import { type AccountMember, toMemberActor } from './actor.ts'
import { recordFailedPassword } from './authenticate.ts'
import { findPassword } from './password.ts'
import { findKnownBrowser, openSession } from './session.ts'

/**
 * The input of a sign-in. `account` is a name or id, needed for an e-mail address that several accounts have;
 * `browserTokens` are from the browser's cookie; `device` is as in `Session`.
 */
type SignInInput = {
  email: string
  password: string
  account?: string | undefined
  clientIp: string
  device?: string | null
  browserTokens?: string[]
}

/**
 * Signs a member in. Returns the token of a new session; undefined for an unknown e-mail address, a wrong password or a
 * suspended account, which cannot be told apart: each takes the same reads and one password check.
 *
 * @throws TooMany for too many attempts: from one client, for one e-mail address, or in total; from a known browser,
 *   for too many in it or in all known browsers.
 */
export async function signInMember(
  ctx: AppContext,
  { password, clientIp, device = null, ...entered }: SignInInput,
): Promise<string | undefined> {
  const email = normalizeEmail(entered.email)
  const browser = await findKnownBrowser(ctx.store.control, entered.browserTokens ?? [], email)
  if (browser === undefined) await consumeUnknown(ctx, email, clientIp)
  else await consumeKnown(ctx, browser.digest)
  const found = await findSignIn(ctx.store.control, email, entered.account?.trim() || browser?.accountId)
  const isRight = await ctx.passwords.verify(password, found?.passwordHash)
  const isAdmitted = found !== undefined && isRight && found.account.suspendedAt === null
  const session = isAdmitted ? await beginSession(ctx, found, { clientIp, device }) : undefined
  if (session === undefined) await recordFailedPassword(ctx, found?.member, clientIp)
  return session
}

/** What a sign-in is checked against. */
type SignIn = AccountMember & { passwordHash: string | undefined }

/**
 * The member with this e-mail address who is not removed, of the account with this name or id; without an account, the
 * oldest such member.
 */
export async function findSignIn(
  reads: ControlReads,
  email: string,
  ref: string | undefined,
): Promise<SignIn | undefined> {
  const [member] = await listNamed(reads, email, ref)
  const account = member && (await reads.find('accounts', { id: member.accountId }))
  if (member?.email !== email || account?.removedAt !== null) return undefined
  return { member, account, passwordHash: await findPassword(reads, member.id) }
}

async function listNamed(reads: ControlReads, email: string, ref: string | undefined): Promise<Member[]> {
  if (ref === undefined) return reads.findMembers(email, 1)
  const account = await findAccount(reads, ref)
  return account === undefined ? [] : reads.list('members', { accountId: account.id, email, removedAt: null })
}

/**
 * Begins a session; undefined if the password was replaced since it was read, which ended all sessions begun with it.
 */
function beginSession(
  ctx: AppContext,
  { passwordHash, ...holder }: SignIn,
  { clientIp, device }: { clientIp: string; device: string | null },
): Promise<string | undefined> {
  return ctx.store.control.write(async (tx) => {
    if ((await findPassword(tx, holder.member.id)) !== passwordHash) return undefined
    return openSession(ctx, tx, toMemberActor(holder, clientIp), device)
  })
}

async function consumeUnknown(ctx: AppContext, email: string, clientIp: string): Promise<void> {
  await consumeAttempt(ctx, 'password from', clientIp)
  await consumeAttempt(ctx, 'password for', sha256Hex(`${clientIp} ${email}`))
  await consumeAttempt(ctx, 'password for any', sha256Hex(email))
  await consumeAttempt(ctx, 'password by', 'anybody')
}

async function consumeKnown(ctx: AppContext, browserDigest: string): Promise<void> {
  await consumeAttempt(ctx, 'password in', browserDigest)
  await consumeAttempt(ctx, 'password in known', 'browsers')
}
