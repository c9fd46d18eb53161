import { Refusal } from '../errors.ts'
import type { Account, ControlReads, Department, Member, Role } from '../store/control.ts'
import type { Means } from './means.ts'
import { requireName } from './name.ts'

const ADDRESS = /^[^\s@]+@[^\s@]+$/
const LONGEST_ADDRESS = 254

type NewMember = { email: string; name: string; role: Role; department?: Department | undefined }

type Making = Pick<Means, 'clock' | 'random'>

/** A member, not yet kept. Throws a Refusal for a bad name or address. */
export function newMember({ clock, random }: Making, account: Account, { email, name, role, department }: NewMember): Member {
  const now = clock.now()
  return {
    id: random.uuid(now),
    accountId: account.id,
    email: requireAddress(email),
    name: requireName('the member name', name),
    role,
    departmentId: department?.id ?? null,
    createdAt: now,
    removedAt: null,
  }
}

/** Makes a member of an account. A person is a member of one account only. Throws a Refusal for an address in use. */
export async function addMember(means: Making & Pick<Means, 'store'>, account: Account, wish: NewMember): Promise<Member> {
  const member = newMember(means, account, wish)
  await means.store.control.write(async (tx) => {
    if ((await tx.findMember(member.email)) !== undefined) throw new Refusal(`'${member.email}' is already a member of an account`)
    await tx.insertMember(member)
  })
  return member
}

function requireAddress(text: string): string {
  const address = text.trim().toLowerCase()
  if (!ADDRESS.test(address) || address.length > LONGEST_ADDRESS) throw new Refusal(`'${text}' is not an e-mail address`)
  return address
}

/** The member of this e-mail address or id. Throws a Refusal otherwise. */
export async function requireMember({ store }: Pick<Means, 'store'>, ref: string, account?: Account): Promise<Member> {
  const member = await store.control.findMember(ref)
  if (member === undefined || (account !== undefined && member.accountId !== account.id)) throw new Refusal(`no member '${ref}'`)
  return member
}

/** Moves a member to a department, or out of any. What was saved for the old one stays there. */
export async function moveMember({ store }: Pick<Means, 'store'>, member: Member, department: Department | undefined): Promise<void> {
  await store.control.write((tx) => tx.updateMember(member.id, { departmentId: department?.id ?? null }))
}

/** Removes a member: the keys they hold are dead at once, their records stay. Throws a Refusal for the last owner. */
export async function removeMember({ store, clock }: Pick<Means, 'store' | 'clock'>, member: Member): Promise<void> {
  await store.control.write(async (tx) => {
    if (member.role === 'owner') await requireOtherOwner(tx, member)
    await tx.updateMember(member.id, { removedAt: clock.now() })
  })
}

async function requireOtherOwner(tx: ControlReads, { id, accountId }: Member): Promise<void> {
  const members = await tx.listMembers(accountId)
  const others = members.filter((other) => other.id !== id && other.role === 'owner' && other.removedAt === null)
  if (others.length === 0) throw new Refusal('an account keeps at least one owner')
}
