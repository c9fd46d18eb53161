import type { MemberActor } from '../account/auth/actor.ts'
import { isOpen } from '../account/auth/authenticate.ts'
import { mayManage, requireManager } from '../account/auth/authorize.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { ConnectionHolder, ConnectionSelection } from '../store/oauth.ts'
import { listConnections } from './connection.ts'

/**
 * Live connections that a member sees, newest first. In a project: all for owners and admins, for others those made
 * with their own keys. Without a project: those of the whole account, only for those who manage it. All, or about the
 * first `most`.
 *
 * @throws Refusal for others.
 */
export async function listVisibleConnections(
  ctx: AppContext,
  actor: MemberActor,
  { projectId, most }: { projectId?: string | undefined; most?: number | undefined },
): Promise<ConnectionHolder[]> {
  return listConnections(ctx, toVisible(actor, projectId), most)
}

function toVisible(actor: MemberActor, projectId: string | undefined): ConnectionSelection {
  const { member, account } = actor
  if (projectId === undefined) requireManager(actor, account.id)
  return { accountId: account.id, projectId, memberId: mayManage(member) ? undefined : member.id }
}

/**
 * The connection of this id, for a member who sees it.
 *
 * @throws Refusal, the same for one of somebody else, of another project, one that has ended, and none.
 */
export async function requireVisibleConnection(
  ctx: AppContext,
  actor: MemberActor,
  id: string,
  projectId?: string,
): Promise<ConnectionHolder> {
  const [found] = await ctx.store.control.listConnections({ ...toVisible(actor, projectId), id })
  if (found === undefined || !isOpen(found, ctx.clock.now())) throw new Refusal('there is no such connection')
  return found
}
