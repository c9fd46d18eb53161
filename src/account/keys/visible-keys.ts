import { Refusal } from '../../errors.ts'
import type { Member, Project } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { toMemberActor } from '../auth/actor.ts'
import { mayManage, requireManager } from '../auth/authorize.ts'
import type { Visitor } from '../auth/session.ts'
import type { AppContext } from '../context.ts'

/**
 * Keys of a project that a visitor may see, replace and revoke, those that open it first, newest first: owners and admins all, members those they hold.
 * At most `limit` of them, after the first `offset`.
 */
export async function listVisibleKeys(
  { store, clock }: AppContext,
  { member }: Visitor,
  { id: projectId }: Project,
  part: { offset: number; limit: number },
): Promise<Key[]> {
  return store.control.listKeyPage({ projectId, memberId: mayManage(member) ? undefined : member.id, now: clock.now(), ...part })
}

/** One of them. Throws one Refusal for every other id: of somebody else's key, of another project's, of none. */
export async function requireVisibleKey(ctx: AppContext, visitor: Visitor, project: Project, id: string): Promise<Key> {
  const found = (await ctx.store.control.findKeys(id)).find((key) => key.id === id)
  const { member } = visitor
  const maySee = found?.projectId === project.id && (mayManage(member) || found.memberId === member.id)
  if (found === undefined || !maySee) throw new Refusal('there is no such key')
  return found
}

/**
 * Who is to hold a key that a visitor issues: themselves, or nobody (a service key) for an empty word, which only owners and admins may say.
 * Throws a Refusal for everybody else: whoever sees a key can read its holder's drafts.
 */
export function requireHolderToBe(visitor: Visitor, ref: string | null): Member | undefined {
  if (ref === null || ref === visitor.member.id) return visitor.member
  requireManager(toMemberActor(visitor, null), visitor.account.id)
  if (ref !== '') throw new Refusal('a key for somebody else is issued by themselves; open the project to them under People')
  return undefined
}

/** Whether a visitor may see the key that takes this one's place: their own, or a service key. */
export function mayRotate({ member }: Visitor, { memberId }: Key): boolean {
  return memberId === member.id || (memberId === null && mayManage(member))
}
