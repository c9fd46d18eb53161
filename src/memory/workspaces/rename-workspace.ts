import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { maskCredentials } from '../../secrets/credentials.ts'
import { passName } from '../rejections/pass-credentials.ts'
import { authorizeMemory, placeOf } from '../visibility.ts'
import { findInAnyCase, isSharedWorkspace, requireWorkspace, requireWorkspaceName } from './workspace.ts'

/**
 * Gives a workspace another name, for an actor who manages the account. Its records, with their ids, stay in it.
 *
 * @throws Refusal for an actor who does not manage the account, for a workspace that is not active for them, and for a
 * name that is invalid, taken, or contains a credential.
 */
export async function renameWorkspace(
  ctx: AppContext,
  actor: Actor,
  { projectId, name, newName }: { projectId: string; name: string; newName: string },
): Promise<void> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  requireWorkspaceName(newName, 'new_name')
  await passName(ctx, actor, memory, { name: 'new_name', field: 'new_name', text: newName })
  const sharedName = await memory.records.write(async (tx) => {
    const { id, name: before } = await requireWorkspace(tx, memory.visible, name)
    const other = await findInAnyCase(tx, memory.visible, newName)
    if (other !== undefined && other.id !== id)
      throw new Refusal(`there is a workspace '${other.name}' already; merge the two`, 'new_name')
    await tx.updateWorkspace(id, { name: newName })
    return (await isSharedWorkspace(tx, newName)) && before
  })
  // As in the audit event of a removal.
  const named = sharedName
    ? { target: await maskCredentials(sharedName), details: { new_name: newName } }
    : { target: null }
  await recordEventAlone(ctx, actor, { act: 'workspace.rename', ...placeOf(memory), ...named })
}
