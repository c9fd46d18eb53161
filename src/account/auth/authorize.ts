import { Refusal } from '../../errors.ts'
import type { Member, Role } from '../../store/control.ts'
import type { AppContext } from '../context.ts'
import type { Visitor } from './session.ts'

/** Whether a member may change what belongs to the whole account. */
export function mayManage({ role }: Pick<Member, 'role'>): boolean {
  return role !== 'member'
}

/** Throws a Refusal for a member who is neither an owner nor an admin. */
export function requireManager({ member }: Visitor): void {
  if (!mayManage(member)) throw new Refusal('only an owner or an admin of the account may do this')
}

/** Throws a Refusal for anybody but an owner of the account. */
export function requireOwner({ member }: Visitor): void {
  if (member.role !== 'owner') throw new Refusal('only an owner of the account may do this')
}

/** Throws a Refusal unless a visitor may make, change or remove people of these roles: an owner any, an admin all but owners, others nobody. */
export function requireMayChange(visitor: Visitor, ...roles: Role[]): void {
  requireManager(visitor)
  if (visitor.member.role !== 'owner' && roles.includes('owner')) throw new Refusal('only an owner may make, change or remove an owner')
}

/** The same for inviting somebody, or taking that back: an invitation of the address that is there already is replaced by it. */
export async function requireMayInvite({ store }: AppContext, visitor: Visitor, address: string, ...roles: Role[]): Promise<void> {
  const email = address.trim().toLowerCase()
  const invitations = await store.control.listInvitations(visitor.account.id)
  requireMayChange(visitor, ...roles, ...invitations.filter((one) => one.email === email).map(({ role }) => role))
}
