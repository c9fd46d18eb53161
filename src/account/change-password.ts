import { Refusal } from '../errors.ts'
import type { ControlWrites, Member } from '../store/control.ts'
import { type By, note } from './audit.ts'
import { digestOf } from './key.ts'
import type { Means } from './means.ts'
import { hashPassword, isPassword } from './password.ts'
import { byMember, openSession, type Visitor } from './session.ts'
import { takeAttempt } from './throttle.ts'

/** Changes a visitor's password, who gives the old one; every other session of theirs ends. Throws a Refusal for a wrong one. */
export async function changePassword(means: Means, visitor: Visitor, old: string, wished: string, address: string): Promise<string> {
  const { member } = visitor
  takeAttempt(means, 'password of', digestOf(member.email))
  if (!(await isPassword(old, await means.store.control.findPassword(member.id)))) throw new Refusal('the present password is not right')
  const hash = await hashPassword(wished)
  return means.store.control.write(async (tx) => {
    await replacePassword(means, tx, member, hash, byMember(member, address))
    return openSession(means, tx, member, address)
  })
}

/** Inside a write, sets a member's password, by which every session of theirs ends. */
export async function replacePassword(means: Pick<Means, 'clock'>, tx: ControlWrites, member: Member, hash: string, by: By): Promise<void> {
  await tx.savePassword(member.id, hash)
  await tx.deleteSessions(member.id)
  await note(means, tx, by, { act: 'member.password', accountId: member.accountId, target: member.id })
}
