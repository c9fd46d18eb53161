import { recordEventAlone } from '../../account/audit/audit.ts'
import { SERVICE } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { listAllProjects } from '../../account/organizations/list-all-projects.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { Project } from '../../store/account.ts'
import type { ProjectStore } from '../../store/project.ts'
import { forgetLeftovers } from '../workspaces/remove-workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Records erased in one transaction, so that nobody waits longer than some 10 ms. */
const BATCH_RECORDS = 50
/** Sources erased in one transaction, for the same reason. */
const MAX_SOURCES = 500

/** How long a text that somebody asked to release waits, and how long it is told that one was declined. */
const RELEASE_DAYS = 30

/**
 * Erases for good what was forgotten longer ago than the trash keeps, in every project, and finishes removals that a crash cut short.
 * Each project has a line of it in the audit log. One that cannot be opened is logged and passed over. Ends early once `isStopped` says so. Returns how many records were erased.
 */
export async function purgeTrash(given: AppContext, isStopped: () => boolean = () => false): Promise<number> {
  let erased = 0
  for (const project of await listAllProjects(given)) {
    if (isStopped()) break
    try {
      erased += await purgeProject(given, project, isStopped)
    } catch (error) {
      given.log('purge failed', { project: project.id, error: String(error) })
    }
  }
  if (erased > 0) given.log('purged', { records: erased })
  return erased
}

async function purgeProject(given: AppContext, { id, accountId, removedAt }: Project, isStopped: () => boolean): Promise<number> {
  const { store, clock, config } = given
  if (removedAt !== null) {
    await store.eraseProject(id)
    return 0
  }
  const project = store.project(id)
  await eachRemoved(project, isStopped, (workspaceId) => forgetLeftovers({ clock }, project, workspaceId))
  const erased = await eraseForgotten(project, clock.now() - config.trashDays * DAY_MS, isStopped)
  await eachRemoved(project, isStopped, (workspaceId) => eraseEmpty(project, workspaceId))
  await project.write((tx) => tx.purgeReleases(clock.now() - RELEASE_DAYS * DAY_MS))
  if (erased > 0) await recordEventAlone(given, SERVICE, { act: 'record.purge', accountId, projectId: id, target: id, details: { erased } })
  return erased
}

/** Acts on every removed workspace, some of them read at a time. */
async function eachRemoved(project: ProjectStore, isStopped: () => boolean, act: (id: number) => Promise<unknown>): Promise<void> {
  for (let afterId = 0; ; ) {
    const part = await project.listRemovedWorkspaces({ afterId, limit: BATCH_RECORDS })
    for (const { id } of part) {
      if (isStopped()) return
      await act(id)
      afterId = id
    }
    if (part.length < BATCH_RECORDS) return
  }
}

/** Erases a removed workspace that no record is in any more, its sources first, in several writes. */
async function eraseEmpty(project: ProjectStore, workspaceId: number): Promise<void> {
  await yieldIfDue()
  const left = await project.listIds({ visible: undefined, workspaceId, forgotten: true, limit: 1 })
  if (left.length > 0) return
  while ((await project.write((tx) => tx.eraseSources(workspaceId, MAX_SOURCES))) === MAX_SOURCES) await yieldIfDue()
  await project.write((tx) => tx.eraseWorkspace(workspaceId))
}

async function eraseForgotten(project: ProjectStore, before: number, isStopped: () => boolean): Promise<number> {
  for (let erased = 0; ; ) {
    await yieldIfDue()
    const chunk = isStopped() ? 0 : await project.write((tx) => tx.purgeForgotten(before, BATCH_RECORDS))
    erased += chunk
    if (chunk < BATCH_RECORDS) return erased
  }
}
