import { mayManage } from '../account/auth/authorize.ts'
import type { Visitor } from '../account/auth/session.ts'
import type { AppContext } from '../account/context.ts'
import { Refusal } from '../errors.ts'
import type { ConnectionHolder } from '../store/oauth.ts'
import { listConnections } from './connection.ts'

/** Connections that can be used now and that a visitor may see and end, newest first: owners and admins all, members those made with a key of theirs. */
export async function listVisitorConnections(
  ctx: AppContext,
  { member, account }: Visitor,
  projectId?: string,
): Promise<ConnectionHolder[]> {
  const holders = await listConnections(ctx, { accountId: account.id, projectId })
  return mayManage(member) ? holders : holders.filter(({ key }) => key.memberId === member.id)
}

/** One of them. Throws one Refusal for every other id: of somebody else's, of another project's, of one that has ended, of none. */
export async function requireVisitorConnection(
  ctx: AppContext,
  visitor: Visitor,
  id: string,
  projectId?: string,
): Promise<ConnectionHolder> {
  const found = (await listVisitorConnections(ctx, visitor, projectId)).find(({ connection }) => connection.id === id)
  if (found === undefined) throw new Refusal('there is no such connection')
  return found
}
