import { Refusal } from '../errors.ts'
import type { ControlWrites, Member } from '../store/control.ts'
import { type By, note } from './audit.ts'
import type { Means } from './means.ts'
import { hashPassword, isPassword } from './password.ts'
import { byMember, openSession, type Visitor } from './session.ts'
import { takeAttempt } from './throttle.ts'

/** Changes a visitor's password, who gives the old one; every other session of theirs ends. Throws a Refusal for a wrong one. */
export async function changePassword(means: Means, visitor: Visitor, old: string, wished: string, address: string): Promise<string> {
  const { member } = visitor
  takeAttempt(means, 'password change by', member.id)
  const present = await means.store.control.findPassword(member.id)
  if (!(await isPassword(old, present))) throw new Refusal(NOT_RIGHT)
  const hash = await hashPassword(wished)
  return means.store.control.write(async (tx) => {
    if ((await tx.findPassword(member.id)) !== present) throw new Refusal(NOT_RIGHT)
    await replacePassword(means, tx, member, hash, byMember(member, address))
    return openSession(means, tx, member, address)
  })
}

const NOT_RIGHT = 'the present password is not right'

/** Inside a write, sets a member's password, by which every session of theirs ends, every browser is unknown again, and every link by which another could be chosen is dead. */
export async function replacePassword(means: Pick<Means, 'clock'>, tx: ControlWrites, member: Member, hash: string, by: By): Promise<void> {
  await tx.savePassword(member.id, hash)
  await tx.deleteSessions(member.id)
  await tx.deleteBrowsers(member.id)
  await tx.deleteEntryLinks(member.id)
  await note(means, tx, by, { act: 'member.password', accountId: member.accountId, target: member.id })
}
