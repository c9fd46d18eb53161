import type { Actor } from '../account/auth/actor.ts'
import { requireReadingKey } from '../account/auth/history-access.ts'
import type { AppContext } from '../account/context.ts'
import { requireVisibleProject } from '../account/organizations/project-access.ts'
import { requireActiveSubscription, type ToolAccess } from '../account/subscription/subscription.ts'
import { Refusal } from '../errors.ts'
import type { Account } from '../store/account.ts'
import type { HistoryStore } from '../store/history-verbs.ts'

/** The session histories of one owner in one project. */
export type Histories = { account: Account; projectId: string; ownerId: string; store: HistoryStore }

const NO_PROJECT = 'there is no such project, or it is not open to you'

/**
 * Authorizes an actor for their own session histories in a project; nobody has access to another person's. Without
 * `access`, in any state of the subscription, which erasing uses.
 *
 * @throws Refusal for a project that the actor may not use, for anybody but members and callers with a key, and if
 *   their sign-in or their key may not read; Notice if the subscription does not allow this access.
 */
export async function authorizeHistory(
  ctx: AppContext,
  actor: Actor,
  projectId: string,
  access?: ToolAccess,
): Promise<Histories> {
  const { account, ownerId } = await authorize(ctx, actor, projectId)
  if (access === 'read') requireReader(actor)
  if (access !== undefined) requireActiveSubscription(ctx, { account }, access)
  return { account, projectId, ownerId, store: ctx.store.history(projectId) }
}

/** Who knows a member's password is not always the member, and a key may have been issued by somebody else. */
function requireReader(actor: Actor): void {
  if (actor.kind === 'caller') requireReadingKey(actor.caller)
  if (actor.kind === 'member' && actor.member.historyAccess !== 'confirmed')
    throw new Refusal('sessions are seen once this sign-in is confirmed; open Sessions of the project')
}

async function authorize(
  ctx: AppContext,
  actor: Actor,
  projectId: string,
): Promise<Pick<Histories, 'account' | 'ownerId'>> {
  if (actor.kind === 'caller') {
    const { caller } = actor
    if (caller.projectId !== projectId || caller.hosted) throw new Refusal(NO_PROJECT)
    return { account: caller.account, ownerId: caller.authorId }
  }
  if (actor.kind !== 'member') throw new Refusal('session histories are open to those alone who uploaded them')
  await requireVisibleProject(ctx, actor, projectId)
  return { account: actor.account, ownerId: actor.member.id }
}
