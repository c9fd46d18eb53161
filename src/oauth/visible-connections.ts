import type { MemberActor } from '../account/auth/actor.ts'
import { mayManage, requireManager } from '../account/auth/authorize.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { ConnectionHolder } from '../store/oauth.ts'
import { listConnections } from './connection.ts'

/**
 * Connections that can be used now and that a member sees, newest first: of a project, all for owners and admins, and those made with a key of theirs
 * for others; without a project those of the whole account, for who manages it.
 *
 * @throws Refusal for others.
 */
export async function listVisibleConnections(ctx: AppContext, actor: MemberActor, projectId?: string): Promise<ConnectionHolder[]> {
  const { member, account } = actor
  if (projectId === undefined) requireManager(actor, account.id)
  const holders = await listConnections(ctx, { accountId: account.id, projectId })
  return mayManage(member) ? holders : holders.filter(({ key }) => key.memberId === member.id)
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
  const found = (await listVisibleConnections(ctx, actor, projectId)).find(({ connection }) => connection.id === id)
  if (found === undefined) throw new Refusal('there is no such connection')
  return found
}
