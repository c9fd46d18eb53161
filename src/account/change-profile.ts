import { Refusal } from '../errors.ts'
import type { Member } from '../store/control.ts'
import { type By, note } from './audit.ts'
import type { Means } from './means.ts'
import { refuseKnownAddress, requireAddress } from './member.ts'
import { requireName } from './name.ts'

type Profile = { name: string; email: string }

/** Changes what a member is called and where they are written to. Throws a Refusal for a bad name or address, and one in use. */
export async function changeProfile(means: Pick<Means, 'store' | 'clock'>, member: Member, wish: Profile, by: By): Promise<void> {
  const [name, email] = [requireName('the member name', wish.name), requireAddress(wish.email)]
  await means.store.control.write(async (tx) => {
    const current = await tx.findMember(member.id)
    if (current === undefined) throw new Refusal(`no member '${member.email}'`)
    if (email !== current.email) await refuseKnownAddress(tx, email)
    await tx.updateMember(current.id, { name, email })
    const details = { from: current.email, email, name }
    await note(means, tx, by, { act: 'member.change', accountId: current.accountId, target: current.id, details })
  })
}
