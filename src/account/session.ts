import type { ControlWrites, Member } from '../store/control.ts'
import type { Session, SessionHolder } from '../store/session.ts'
import { type By, note } from './audit.ts'
import { digestOf } from './key.ts'
import { findKnownBrowser } from './known-browser.ts'
import type { Means } from './means.ts'
import { toAddress } from './member.ts'
import { isPassword } from './password.ts'
import { makeSecret } from './secret.ts'
import { noteFailedPassword } from './sign-ins.ts'
import { takeAttempt } from './throttle.ts'

const DAY = 24 * 60 * 60 * 1000
/** How long a session lasts, in milliseconds. */
export const SESSION_LIFETIME = 14 * DAY

/** A person in the console. */
export type Visitor = SessionHolder

/** Who acts: a member, from an address. */
export function byMember({ id }: Pick<Member, 'id'>, address: string | null): By {
  return { actor: `member:${id}`, origin: address }
}

/** `account` is a name or an id, for whom one address is a member of several; `browser` has the tokens of the browser's cookie. */
type Entry = { email: string; password: string; address: string; account?: string | undefined; browser?: string[] }

/**
 * The token of a new session; undefined for an address or a password that is not right, or an account that is suspended, without
 * telling which: every answer takes the same reads and one check of a password. Throws TooMany for attempts from one client address, for
 * one e-mail address from it, and in all. A browser that this member signed in with before has a window of its own, so that whoever uses
 * up the others does not keep them out.
 */
export async function signInMember(means: Means, entry: Entry): Promise<string | undefined> {
  const { password, address } = entry
  const email = toAddress(entry.email)
  const account = entry.account?.trim() || undefined
  const browser = await findKnownBrowser(means.store.control, entry.browser ?? [], email)
  if (browser === undefined) takeUnknown(means, email, address)
  else takeKnown(means, browser.digest)
  const found = await means.store.control.findSignIn(email, account ?? browser?.accountId)
  const right = await isPassword(password, found?.passwordHash ?? undefined)
  if (found !== undefined && right && found.account.suspendedAt === null) {
    return means.store.control.write((tx) => openSession(means, tx, found.member, address))
  }
  await noteFailedPassword(means, found?.member, address)
  return undefined
}

function takeUnknown(means: Means, email: string, address: string): void {
  takeAttempt(means, 'password from', address)
  takeAttempt(means, 'password for', digestOf(`${address} ${email}`))
  takeAttempt(means, 'password by', 'anybody')
}

function takeKnown(means: Means, digest: string): void {
  takeAttempt(means, 'password in', digest)
  takeAttempt(means, 'password in known', 'browsers')
}

/** Sessions of one member that last at a time: those begun first end. */
const MAX_SESSIONS = 50

/** Begins a session inside a write. Returns its token, which is nowhere kept. */
export async function openSession(
  means: Pick<Means, 'clock' | 'random'>,
  tx: ControlWrites,
  member: Member,
  address: string,
): Promise<string> {
  const now = means.clock.now()
  const token = makeSecret(means.random)
  const session = { id: means.random.uuid(now), digest: digestOf(token), memberId: member.id, origin: address, createdAt: now }
  await tx.insertSession({ ...session, expiresAt: now + SESSION_LIFETIME })
  await tx.keepSessions(member.id, MAX_SESSIONS)
  await note(means, tx, byMember(member, address), { act: 'session.begin', accountId: member.accountId, target: member.id })
  return token
}

/** Whose session a cookie's token is; undefined where it has ended, and where the person or the account may not come in any more. */
export async function recogniseVisitor({ store, clock }: Pick<Means, 'store' | 'clock'>, token: string): Promise<Visitor | undefined> {
  const holder = await store.control.findSessionHolder(digestOf(token))
  return holder !== undefined && isOpen(holder, clock.now()) ? holder : undefined
}

function isOpen({ session, member, account }: SessionHolder, now: number): boolean {
  return session.expiresAt > now && member.removedAt === null && account.suspendedAt === null
}

/** The member's sessions that have not ended, newest first. */
export async function listOpenSessions({ store, clock }: Pick<Means, 'store' | 'clock'>, { id }: Member): Promise<Session[]> {
  return (await store.control.listSessions(id)).filter(({ expiresAt }) => expiresAt > clock.now())
}

/** Ends one session. */
export async function closeSession(means: Pick<Means, 'store' | 'clock'>, { session, member }: Visitor, by: By): Promise<void> {
  await means.store.control.write(async (tx) => {
    await tx.deleteSession(session.id)
    await noteEnd(means, tx, member, by)
  })
}

/** Ends every session of a member, and forgets the browsers they signed in with. */
export async function closeSessions(means: Pick<Means, 'store' | 'clock'>, member: Member, by: By): Promise<void> {
  await means.store.control.write(async (tx) => {
    await tx.deleteSessions(member.id)
    await tx.deleteBrowsers(member.id)
    await noteEnd(means, tx, member, by, { all: true })
  })
}

function noteEnd(means: Pick<Means, 'clock'>, tx: ControlWrites, { id, accountId }: Member, by: By, details = {}): Promise<void> {
  return note(means, tx, by, { act: 'session.end', accountId, target: id, details })
}
