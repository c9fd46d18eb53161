import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import type { Clock } from '../../clock.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { Project } from '../../store/account.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import { requireWorkspace } from './workspace.ts'

/** Most records forgotten in one transaction, and the time after which one ends, in milliseconds: nobody else can save meanwhile. */
const BATCH_RECORDS = 16
const MAX_WRITE_MS = 5

type Wish = { project: Project; name: string; visible: Visible }

/**
 * Removes a workspace: it is not active from the first step on, and its records, whoever sees them, are forgotten after that, chunk by chunk.
 * Returns how many were. What a crash leaves, `forgetLeftovers` forgets. Throws a Refusal for a workspace that is not active for those who
 * see what is `visible`.
 */
export async function removeWorkspace(ctx: AppContext, { project, name, visible }: Wish, by: Actor): Promise<number> {
  const records = ctx.store.project(project.id)
  const { id, isShared } = await records.write(async (tx) => {
    const workspace = await requireWorkspace(tx, visible, name)
    await tx.removeWorkspace(workspace.id, ctx.clock.now())
    return { id: workspace.id, isShared: await tx.isWrittenFor(['*'], workspace.id) }
  })
  const forgotten = await forgetLeftovers(ctx, records, id)
  // The name of a workspace that holds only drafts, or one department's records, is hidden from those who read the log, as these are.
  const target = isShared ? name : null
  const deed = { act: 'workspace.remove', accountId: project.accountId, projectId: project.id, target, details: { forgotten } }
  await recordEventAlone(ctx, by, deed)
  return forgotten
}

/** Forgets the records that a removed workspace still has. Returns how many. */
export async function forgetLeftovers({ clock }: Pick<AppContext, 'clock'>, project: ProjectStore, workspaceId: number): Promise<number> {
  for (let forgotten = 0; ; ) {
    await yieldIfDue()
    // Most removed workspaces have none left, and a write would cost the disk something all the same.
    if ((await project.listIds({ visible: undefined, workspaceId, limit: 1 })).length === 0) return forgotten
    const chunk = await project.write((tx) => forgetSome(tx, clock, workspaceId))
    forgotten += chunk
  }
}

async function forgetSome(tx: ProjectWrites, clock: Clock, workspaceId: number): Promise<number> {
  const end = clock.ticks() + MAX_WRITE_MS
  let forgotten = 0
  for (const id of await tx.listIds({ visible: undefined, workspaceId, limit: BATCH_RECORDS })) {
    await tx.forgetRecord(id, clock.now())
    forgotten += 1
    if (clock.ticks() > end) break
  }
  return forgotten
}
