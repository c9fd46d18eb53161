import type { ProjectReads } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { SeenWorkspace } from '../../store/workspace.ts'
import { toComparableKey } from '../../text/comparable.ts'

/** Workspaces on a page of the console. */
const PAGE_SIZE = 50
/** Workspaces that `eachWorkspaceBatch` reads at a time. */
export const BATCH_WORKSPACES = 500

/** A page of workspaces. `more` is the name after which the next page begins, undefined on the last page. */
export type WorkspacePage = { workspaces: SeenWorkspace[]; more: string | undefined }

/**
 * A page of the workspaces after the name `after` that are active for the audiences `visible`, by name, each with the
 * number of its visible records. Time does not depend on the number of workspaces.
 */
export async function listWorkspaces(project: ProjectReads, visible: Visible, after?: string): Promise<WorkspacePage> {
  const found = await project.listWorkspaces(visible, { after, limit: PAGE_SIZE + 1 })
  const workspaces = found.slice(0, PAGE_SIZE)
  return { workspaces, more: found.length > PAGE_SIZE ? workspaces.at(-1)?.name : undefined }
}

/** Yields all active workspaces after the name `after` by name, in batches that are never empty. */
export async function* eachWorkspaceBatch(
  project: ProjectReads,
  visible: Visible,
  after?: string,
): AsyncGenerator<SeenWorkspace[]> {
  for (let last = after; ; ) {
    const batch = await project.listWorkspaces(visible, { after: last, limit: BATCH_WORKSPACES })
    if (batch.length > 0) yield batch
    if (batch.length < BATCH_WORKSPACES) return
    last = batch.at(-1)?.name
  }
}

/** How many workspaces are active for the audiences `visible`. */
export async function countVisibleWorkspaces(project: ProjectReads, visible: Visible): Promise<number> {
  let count = 0
  for await (const batch of eachWorkspaceBatch(project, visible)) count += batch.length
  return count
}

/**
 * Names of active workspaces that differ only in case, each group by name. Earlier programs made them. Time is linear
 * in the number of workspaces.
 */
export async function findTwinWorkspaces(project: ProjectReads): Promise<string[][]> {
  const names = new Map<string, string[]>()
  for await (const batch of eachWorkspaceBatch(project, undefined))
    for (const { name } of batch) names.set(toComparableKey(name), [...(names.get(toComparableKey(name)) ?? []), name])
  return [...names.values()].filter(({ length }) => length > 1)
}
