import type { AppContext } from '../../../account/context.ts'
import { eachWorkspaceBatch } from '../../workspaces/list-workspaces.ts'
import { requireWorkspace } from '../../workspaces/workspace.ts'
import type { ListArguments } from './list-records.ts'
import { toRecordFilter, type Viewer } from './record-filter.ts'

/** Records that pass a filter are counted up to this number. */
const MAX_COUNTED = 1_000

/** A number of records; if it is not exact, there are more. */
export type RecordCount = { count: number; isExact: boolean }

/**
 * How many records a list has. Without a filter, or with one for a workspace alone, in time linear in the number of
 * workspaces; otherwise counted up to 1 000, and undefined where few pass among very many.
 *
 * @throws Refusal as `listRecords` does.
 */
export async function countRecords(
  ctx: AppContext,
  viewer: Viewer,
  args: ListArguments,
): Promise<RecordCount | undefined> {
  const { workspace, before: _, after: __, offset: ___, limit: ____, ...conditions } = args
  const isNarrowed = Object.values(conditions).some((value) => value !== undefined && value !== false)
  if (!isNarrowed) return { count: await countAll(ctx, viewer, workspace), isExact: true }
  const project = ctx.store.project(viewer.projectId)
  const workspaceId =
    workspace === undefined ? undefined : (await requireWorkspace(project, viewer.visible, workspace)).id
  const selected = await project.selectLatest(
    { ...(await toRecordFilter(ctx, viewer, args)), workspaceId },
    MAX_COUNTED,
  )
  return selected && { count: selected.seqs.length, isExact: selected.isComplete }
}

/** Number of records of one workspace, or of all. */
async function countAll(
  { store }: AppContext,
  { projectId, visible }: Viewer,
  workspace: string | undefined,
): Promise<number> {
  let count = 0
  for await (const batch of eachWorkspaceBatch(store.project(projectId), visible)) {
    for (const { name, records } of batch) if (workspace === undefined || workspace === name) count += records
  }
  return count
}
