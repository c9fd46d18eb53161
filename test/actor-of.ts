import { type MemberActor, toMemberActor } from '../src/account/auth/actor.ts'
import type { Service } from '../src/service.ts'
import type { Member } from '../src/store/account.ts'

/** A member as an actor, as the console makes them one. */
export async function actorOf({ store }: Pick<Service, 'store'>, member: Member, clientIp = '192.0.2.1'): Promise<MemberActor> {
  const account = await store.control.findAccount(member.accountId)
  if (account === undefined) throw new Error(`${member.email} has no account`)
  return toMemberActor({ member, account }, clientIp)
}
