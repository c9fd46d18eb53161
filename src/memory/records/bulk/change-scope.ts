import { type Actor, mayManage } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { Refusal } from '../../../errors.ts'
import type { Memory } from '../../authorize-memory.ts'
import { audienceOf, type Scope } from '../../visibility.ts'
import { requireWorkspaceById } from '../../workspaces/workspace.ts'
import { type Moved, relocate } from './move.ts'

/** The actor may not give this scope to a record of somebody else. */
export class ForeignScope extends Refusal {}

/**
 * Changes who sees a record, for an actor who is authorized for its project, without an audit event. It is as if the
 * record were forgotten and restored with the other scope: its fact key is settled among those who see it then.
 *
 * @throws Refusal for a record that does not exist, has that scope already or was saved with it too, and for
 *   `department` without a department; ForeignScope for the record of somebody else, which owners and admins alone may
 *   give to everybody.
 */
export function changeScope(
  ctx: AppContext,
  memory: Memory,
  actor: Actor,
  { id, scope }: { id: string; scope: Scope },
): Promise<Moved> {
  return relocate(ctx, memory, id, async (tx, found) => {
    const isOwn = found.authorId === memory.author.authorId
    const mayShare =
      scope === 'shared' && (actor.kind !== 'member' ? memory.visible === undefined : mayManage(actor.member))
    if (!isOwn && !mayShare) throw new ForeignScope(`record '${id}' is somebody else's`)
    const audience = audienceOf(memory.author, scope)
    if (audience === found.audience) throw new Refusal(`record '${id}' has the scope '${scope}' already`)
    return { workspace: await requireWorkspaceById(tx, found.workspaceId), audience }
  })
}
