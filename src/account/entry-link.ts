import { Refusal } from '../errors.ts'
import type { ControlReads, ControlWrites, Member } from '../store/control.ts'
import { type By, note } from './audit.ts'
import { replacePassword } from './change-password.ts'
import { digestOf } from './key.ts'
import type { Means } from './means.ts'
import { requireUnchanged } from './member.ts'
import { hashPassword } from './password.ts'
import { makeSecret } from './secret.ts'
import { byMember, openSession } from './session.ts'
import { takeAttempt } from './throttle.ts'

const HOUR = 60 * 60 * 1000
/** How long a link works, in milliseconds. */
export const LINK_LIFETIME = 48 * HOUR

/** Where the service answers a link; the token follows. */
export const ENTRY_PATH = '/console/enter/'

type Given = Pick<Means, 'store' | 'clock' | 'random'>

/** Inside a write, makes a link by which a member comes in once and chooses a password. It replaces the one before. Returns its token. */
export async function insertEntryLink(
  means: Pick<Means, 'clock' | 'random'>,
  tx: ControlWrites,
  { id }: Member,
  { actor }: By,
): Promise<string> {
  const token = makeSecret(means.random)
  const now = means.clock.now()
  await tx.deleteEntryLinks(id)
  await tx.insertEntryLink({ digest: digestOf(token), memberId: id, madeBy: actor, createdAt: now, expiresAt: now + LINK_LIFETIME })
  return token
}

/** The same in a write of its own, noted in the audit log. Their old password works until the link is used. Throws a Refusal for a member of another role by now. */
export function makeEntryLink(means: Given, member: Member, by: By): Promise<string> {
  return means.store.control.write(async (tx) => {
    await requireUnchanged(tx, member)
    await note(means, tx, by, { act: 'member.link', accountId: member.accountId, target: member.id, details: { email: member.email } })
    return insertEntryLink(means, tx, member, by)
  })
}

/** Whom a link lets in. Throws one Refusal for a link that was never made, is used, replaced or too old. */
export async function requireLinked({ store, clock }: Pick<Means, 'store' | 'clock'>, token: string): Promise<Member> {
  return linked(store.control, token, clock.now())
}

/**
 * Sets the password of whom a link lets in, ends their sessions and begins a new one. The link is used up. Returns the session's token. Throws
 * TooMany for attempts from one address.
 */
export async function enterByLink(
  means: Given & Pick<Means, 'windows'>,
  token: string,
  password: string,
  address: string,
): Promise<string> {
  await requireLinked(means, token)
  takeAttempt(means, 'password from', address)
  const hash = await hashPassword(password)
  return means.store.control.write(async (tx) => {
    const member = await linked(tx, token, means.clock.now())
    await replacePassword(means, tx, member, hash, byMember(member, address))
    return openSession(means, tx, member, address)
  })
}

async function linked(reads: ControlReads, token: string, now: number): Promise<Member> {
  const link = await reads.findEntryLink(digestOf(token))
  const member = link && link.expiresAt > now ? await reads.findMember(link.memberId) : undefined
  const account = member && (await reads.findAccount(member.accountId))
  if (member === undefined || account?.suspendedAt !== null) throw new Refusal('this link is not valid any more; ask for a new one')
  return member
}
