import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { maskCredentials } from '../../secrets/credentials.ts'
import type { ProjectStore } from '../../store/project.ts'
import { forgetFound } from '../records/trash/forget-record.ts'
import { authorizeMemory, placeOf } from '../visibility.ts'
import { BATCH_RECORDS } from './change-workspace.ts'
import { isSharedWorkspace, requireWorkspace } from './workspace.ts'

/**
 * Removes a workspace for an actor who manages the account. It is inactive from the first transaction on; then all its
 * records, whoever may see them, are forgotten. Returns their number. After a crash or a failure `purgeTrash` forgets
 * the rest.
 *
 * @throws Refusal for an actor who does not manage the account, and for a workspace that is not active for them.
 */
export async function removeWorkspace(
  ctx: AppContext,
  actor: Actor,
  { projectId, name }: { projectId: string; name: string },
): Promise<number> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  requireManager(actor, memory.account.id)
  const { records, visible } = memory
  const { id, target } = await records.write(async (tx) => {
    const workspace = await requireWorkspace(tx, visible, name)
    // The name of a workspace without shared records is hidden from those who read the log, as its records are.
    const shown = (await isSharedWorkspace(tx, workspace.name)) ? workspace.name : null
    await tx.updateWorkspace(workspace.id, { removedAt: ctx.clock.now() })
    return { id: workspace.id, target: shown }
  })
  let forgotten = 0
  try {
    await forgetLeftovers(ctx, records, id, (count) => {
      forgotten += count
    })
  } finally {
    await recordEventAlone(ctx, actor, {
      act: 'workspace.remove',
      ...placeOf(memory),
      target: target && (await maskCredentials(target)),
      details: { forgotten },
    })
  }
  return forgotten
}

/**
 * Forgets the records that a removed workspace still has; the store groups the writes into transactions. `onForgotten`
 * gets their number, batch by batch.
 */
export async function forgetLeftovers(
  { clock }: Pick<AppContext, 'clock'>,
  project: ProjectStore,
  workspaceId: number,
  onForgotten: (records: number) => void = () => {},
): Promise<void> {
  for (;;) {
    const left = await project.listRecords({ visible: undefined, workspaceId, limit: BATCH_RECORDS })
    if (left.length === 0) return
    const forgetting = { now: clock.now(), byAssistant: false }
    const acts = left.map(({ id }) => forgetFound(project, (tx) => tx.findHead(undefined, id), forgetting))
    const settled = await Promise.allSettled(acts)
    onForgotten(settled.filter((act) => act.status === 'fulfilled' && act.value !== undefined).length)
    // Rejects with the first failure.
    await Promise.all(acts)
  }
}
