import { Refusal } from '../errors.ts'
import type { Account, ControlReads, Department, Role } from '../store/control.ts'
import type { Invitation } from '../store/invitation.ts'
import { type By, note } from './audit.ts'
import { digestOf } from './key.ts'
import type { Means } from './means.ts'
import { newMember, refuseKnownAddress } from './member.ts'
import { hashPassword } from './password.ts'
import { makeSecret } from './secret.ts'
import { byMember, openSession } from './session.ts'
import { takeAttempt } from './throttle.ts'

const DAY = 24 * 60 * 60 * 1000
const LONGEST_VALIDITY = 30 * DAY

/** Where the service answers a link; the token follows. */
export const INVITATION_PATH = '/console/join/'

type Given = Pick<Means, 'store' | 'clock' | 'random'>

/** `validity` in milliseconds. */
type Wish = { email: string; role: Role; department?: Department | undefined; validity: number }

/**
 * Invites a person by a link that works once; `token` is its secret part and is nowhere kept. A later invitation of the address
 * replaces this one. Throws a Refusal for a member's address, a department of another account, a validity beyond 30 days.
 */
export async function inviteMember(means: Given, account: Account, wish: Wish, by: By): Promise<{ token: string; invitation: Invitation }> {
  if (wish.validity <= 0 || wish.validity > LONGEST_VALIDITY) throw new Refusal('an invitation is valid for at most 30 days')
  const token = makeSecret(means.random)
  const { id, accountId, email, role, departmentId, createdAt } = newMember(means, account, { ...wish, name: 'invited' })
  const expiresAt = createdAt + wish.validity
  const invitation = { id, digest: digestOf(token), accountId, email, role, departmentId, madeBy: by.actor, createdAt, expiresAt }
  await means.store.control.write(async (tx) => {
    await refuseKnownAddress(tx, account.id, email)
    await tx.deleteInvitations(account.id, email)
    await tx.insertInvitation(invitation)
    await note(means, tx, by, { act: 'member.invite', accountId, target: id, details: { email, role, department: departmentId } })
  })
  return { token, invitation }
}

/** An invitation and the account it leads into. */
type Invited = { invitation: Invitation; account: Account }

/** The invitation behind a link. Throws one Refusal for a link that was never made, is used, replaced, withdrawn or too old, or of a suspended account. */
export async function requireInvitation({ store, clock }: Pick<Means, 'store' | 'clock'>, token: string): Promise<Invited> {
  return findInvited(store.control, token, clock.now())
}

type Joining = { name: string; password: string; address: string }

/**
 * Makes the invited person a member, under the name and with the password they give, and begins their session. The link is used up.
 * Returns the session's token. Throws a Refusal as `requireInvitation`, and for a bad name or password; TooMany for attempts from one address.
 */
export async function acceptInvitation(
  means: Given & Pick<Means, 'windows'>,
  token: string,
  { name, password, address }: Joining,
): Promise<string> {
  await requireInvitation(means, token)
  takeAttempt(means, 'password from', address)
  const hash = await hashPassword(password)
  return means.store.control.write(async (tx) => {
    const { invitation, account } = await findInvited(tx, token, means.clock.now())
    const { accountId, email, role, departmentId } = invitation
    const departments = await tx.listDepartments(accountId)
    await refuseKnownAddress(tx, account.id, email)
    const member = newMember(means, account, { email, name, role, department: departments.find(({ id }) => id === departmentId) })
    await tx.deleteInvitations(accountId, email)
    await tx.insertMember(member)
    await tx.savePassword(member.id, hash)
    await note(means, tx, byMember(member, address), { act: 'member.join', accountId, target: member.id, details: { email } })
    return openSession(means, tx, member, address)
  })
}

/** Withdraws the invitation of an address. Throws a Refusal when there is none. */
export async function withdrawInvitation(means: Given, account: Account, address: string, by: By): Promise<void> {
  const email = address.trim().toLowerCase()
  await means.store.control.write(async (tx) => {
    if ((await tx.deleteInvitations(account.id, email)) === 0) throw new Refusal(`no invitation of '${address}'`)
    await note(means, tx, by, { act: 'member.uninvite', accountId: account.id, details: { email } })
  })
}

const NOT_VALID = 'this invitation is not valid any more; ask for a new one'

async function findInvited(reads: ControlReads, token: string, now: number): Promise<Invited> {
  const invitation = await reads.findInvitation(digestOf(token))
  const account = invitation && invitation.expiresAt > now ? await reads.findAccount(invitation.accountId) : undefined
  if (invitation === undefined || account?.suspendedAt !== null) throw new Refusal(NOT_VALID)
  return { invitation, account }
}
