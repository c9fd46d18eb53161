import { digestOf } from '../../secrets/key.ts'
import { makeRandomSecret } from '../../secrets/random-secret.ts'
import type { Member } from '../../store/account.ts'
import type { ControlWrites } from '../../store/control.ts'
import type { Session, SessionHolder } from '../../store/sign-in.ts'
import { recordEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import { toAddress } from '../organizations/member.ts'
import { type Actor, type MemberActor, toMemberActor } from './actor.ts'
import { recordFailedPassword } from './failed-sign-ins.ts'
import { findKnownBrowser } from './known-browser.ts'
import { isPassword } from './password.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a session lasts, in milliseconds. */
export const SESSION_LIFETIME_MS = 14 * DAY_MS

/** A person in the console. */
export type Visitor = SessionHolder

/** `account` is a name or an id, for whom one address is a member of several; `browser` has the tokens of the browser's cookie. */
type Entry = { email: string; password: string; address: string; account?: string | undefined; browser?: string[] }

/**
 * The token of a new session; undefined for an address or a password that is not right, or an account that is suspended, without
 * telling which: every answer takes the same reads and one check of a password. Throws TooMany for attempts from one client address, for
 * one e-mail address from it, and in all. A browser that this member signed in with before has a window of its own, so that whoever uses
 * up the others does not keep them out.
 */
export async function signInMember(ctx: AppContext, entry: Entry): Promise<string | undefined> {
  const { password, address } = entry
  const email = toAddress(entry.email)
  const account = entry.account?.trim() || undefined
  const browser = await findKnownBrowser(ctx.store.control, entry.browser ?? [], email)
  if (browser === undefined) takeUnknown(ctx, email, address)
  else takeKnown(ctx, browser.digest)
  const found = await ctx.store.control.findSignIn(email, account ?? browser?.accountId)
  const right = await isPassword(password, found?.passwordHash ?? undefined)
  if (found !== undefined && right && found.account.suspendedAt === null) {
    return ctx.store.control.write((tx) => openSession(ctx, tx, toMemberActor(found, address)))
  }
  await recordFailedPassword(ctx, found?.member, address)
  return undefined
}

function takeUnknown(ctx: AppContext, email: string, address: string): void {
  consumeAttempt(ctx, 'password from', address)
  consumeAttempt(ctx, 'password for', digestOf(`${address} ${email}`))
  consumeAttempt(ctx, 'password by', 'anybody')
}

function takeKnown(ctx: AppContext, digest: string): void {
  consumeAttempt(ctx, 'password in', digest)
  consumeAttempt(ctx, 'password in known', 'browsers')
}

/** Sessions of one member that last at a time: those begun first end. */
const MAX_SESSIONS = 50

/** Begins a session inside a write. Returns its token, which is nowhere kept. */
export async function openSession(ctx: AppContext, tx: ControlWrites, actor: MemberActor): Promise<string> {
  const { member, clientIp } = actor
  const now = ctx.clock.now()
  const token = makeRandomSecret(ctx.random)
  const session = { id: ctx.random.uuid(now), digest: digestOf(token), memberId: member.id, origin: clientIp, createdAt: now }
  await tx.insertSession({ ...session, expiresAt: now + SESSION_LIFETIME_MS })
  await tx.keepSessions(member.id, MAX_SESSIONS)
  await recordEvent(ctx, tx, actor, { act: 'session.begin', accountId: member.accountId, target: member.id })
  return token
}

/** Whose session a cookie's token is; undefined where it has ended, and where the person or the account may not come in any more. */
export async function authenticateVisitor({ store, clock }: AppContext, token: string): Promise<Visitor | undefined> {
  const holder = await store.control.findSessionHolder(digestOf(token))
  return holder !== undefined && isOpen(holder, clock.now()) ? holder : undefined
}

function isOpen({ session, member, account }: SessionHolder, now: number): boolean {
  return session.expiresAt > now && member.removedAt === null && account.suspendedAt === null
}

/** The member's sessions that have not ended, newest first. */
export async function listOpenSessions({ store, clock }: AppContext, { id }: Member): Promise<Session[]> {
  return (await store.control.listSessions(id)).filter(({ expiresAt }) => expiresAt > clock.now())
}

/** Ends one session. */
export async function closeSession(ctx: AppContext, { session, member }: Visitor, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    await tx.deleteSession(session.id)
    await noteEnd(ctx, tx, member, by)
  })
}

/** Ends every session of a member, and forgets the browsers they signed in with. */
export async function closeSessions(ctx: AppContext, member: Member, by: Actor): Promise<void> {
  await ctx.store.control.write(async (tx) => {
    await tx.deleteSessions(member.id)
    await tx.deleteBrowsers(member.id)
    await noteEnd(ctx, tx, member, by, { all: true })
  })
}

function noteEnd(ctx: AppContext, tx: ControlWrites, { id, accountId }: Member, by: Actor, details = {}): Promise<void> {
  return recordEvent(ctx, tx, by, { act: 'session.end', accountId, target: id, details })
}
