import { recordEventAlone } from '../../../account/audit/audit.ts'
import { SERVICE } from '../../../account/auth/actor.ts'
import { type AppContext, logFailure } from '../../../account/context.ts'
import { listAllProjects } from '../../../account/organizations/project.ts'
import { DAY_MS } from '../../../clock.ts'
import type { Project } from '../../../store/account.ts'
import type { ProjectStore, ProjectWrites } from '../../../store/project.ts'
import { forgetLeftovers } from '../../workspaces/remove-workspace.ts'
import { eachRemovedWorkspace } from '../../workspaces/workspace.ts'
import { settleOrphans } from '../save/heirs.ts'

/** Days that a request to let a text pass the guard waits for a decision, and that a declined one is kept. */
const RELEASE_DAYS = 30
/** Days that a question without an answer is kept after it was asked last, and that a dismissed one does not return. */
export const QUESTION_DAYS = 30
/**
 * Records, and sources (smaller rows), erased in one write, so that a concurrent save waits for about 10 ms at most.
 */
const BATCH_RECORDS = 50
const BATCH_SOURCES = 500

type IsStopped = () => boolean

/**
 * Erases permanently, in every project, what was forgotten before the trash's retention period, seen from `now`, and
 * finishes removals that a crash interrupted. Records an audit event for each project in which records were erased. A
 * project that fails is logged and skipped. Ends early once `isStopped` returns true.
 *
 * Returns how many records were erased.
 */
export async function purgeTrash(
  ctx: AppContext,
  isStopped: IsStopped = () => false,
  now = ctx.clock.now(),
): Promise<number> {
  let erased = 0
  for (const project of await listAllProjects(ctx)) {
    if (isStopped()) break
    try {
      erased += await purgeProject(ctx, project, isStopped, now)
    } catch (error) {
      logFailure(ctx, 'purge failed', project.id, error)
    }
  }
  if (erased > 0) ctx.log('purged', { records: erased })
  return erased
}

async function purgeProject(
  ctx: AppContext,
  { id, accountId, removedAt, keepsQuestions }: Project,
  isStopped: IsStopped,
  now: number,
): Promise<number> {
  const { store, config } = ctx
  if (removedAt !== null) {
    await store.eraseProject(id)
    return 0
  }
  const project = store.project(id)
  for await (const workspace of eachRemovedWorkspace(project))
    if (!isStopped()) await forgetLeftovers(ctx, project, workspace.id)
  await settleOrphans(project, ctx.clock.now(), isStopped)
  const trashEnd = now - config.trashDays * DAY_MS
  const erased = await eraseInBatches(project, isStopped, BATCH_RECORDS, (tx) =>
    tx.purgeForgotten(trashEnd, BATCH_RECORDS),
  )
  for await (const workspace of eachRemovedWorkspace(project))
    if (!isStopped()) await eraseIfEmpty(project, isStopped, workspace.id)
  await project.write(async (tx) => {
    await tx.deleteReleases({ before: now - RELEASE_DAYS * DAY_MS })
    await tx.deleteQuestions(keepsQuestions ? { before: now - QUESTION_DAYS * DAY_MS } : 'all')
  })
  await project.scrub(isStopped)
  if (erased > 0)
    await recordEventAlone(ctx, SERVICE, {
      act: 'record.purge',
      accountId,
      projectId: id,
      target: id,
      details: { erased },
    })
  return erased
}

/** Erases a removed workspace that has no records left, together with its sources. */
async function eraseIfEmpty(project: ProjectStore, isStopped: IsStopped, workspaceId: number): Promise<void> {
  // Also those that another instance, which removes the workspace just now, has not forgotten yet.
  for (const forgotten of [true, false])
    if ((await project.listRecords({ visible: undefined, workspaceId, forgotten, limit: 1 })).length > 0) return
  await eraseInBatches(project, isStopped, BATCH_SOURCES, (tx) => tx.eraseSources({ workspaceId }, BATCH_SOURCES))
  if (!isStopped()) await project.write((tx) => tx.eraseWorkspace(workspaceId))
}

/**
 * Erases batches of `size` rows, each in a write of its own, until one is smaller. Returns how many rows were erased.
 */
async function eraseInBatches(
  project: ProjectStore,
  isStopped: IsStopped,
  size: number,
  eraseBatch: (tx: ProjectWrites) => Promise<number>,
): Promise<number> {
  for (let erased = 0; ; ) {
    const batch = isStopped() ? 0 : await project.write(eraseBatch)
    erased += batch
    if (batch < size) return erased
  }
}
