import type { ControlWrites, Member } from '../store/control.ts'
import type { Session, SessionHolder } from '../store/session.ts'
import { type By, note } from './audit.ts'
import { digestOf } from './key.ts'
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

type Entry = { email: string; password: string; address: string }

/**
 * The token of a new session; undefined for an address or a password that is not right, or an account that is suspended, without
 * telling which. Throws TooMany for attempts from one address or for one e-mail address.
 */
export async function signInMember(means: Means, { email, password, address }: Entry): Promise<string | undefined> {
  const name = toAddress(email)
  takeAttempt(means, 'password from', address)
  takeAttempt(means, 'password of', digestOf(name))
  takeAttempt(means, 'password by', 'anybody')
  const member = await means.store.control.findMember(name)
  const known = member?.email === name ? member : undefined
  const hash = known && (await means.store.control.findPassword(known.id))
  const right = await isPassword(password, hash)
  const account = known && (await means.store.control.findAccount(known.accountId))
  if (known !== undefined && right && account?.suspendedAt === null) {
    return means.store.control.write((tx) => openSession(means, tx, known, address))
  }
  await noteFailedPassword(means, known, address)
  return undefined
}

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

/** Ends every session of a member. */
export async function closeSessions(means: Pick<Means, 'store' | 'clock'>, member: Member, by: By): Promise<void> {
  await means.store.control.write(async (tx) => {
    await tx.deleteSessions(member.id)
    await noteEnd(means, tx, member, by, { all: true })
  })
}

function noteEnd(means: Pick<Means, 'clock'>, tx: ControlWrites, { id, accountId }: Member, by: By, details = {}): Promise<void> {
  return note(means, tx, by, { act: 'session.end', accountId, target: id, details })
}
