import type { AppContext } from '../../../account/context.ts'
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
  const project = ctx.store.project(viewer.projectId)
  const workspaceId =
    workspace === undefined ? undefined : (await requireWorkspace(project, viewer.visible, workspace)).id
  if (!isNarrowed) return { count: await project.countRecords(viewer.visible, workspaceId), isExact: true }
  const selected = await project.selectLatest(
    { ...(await toRecordFilter(ctx, viewer, args)), workspaceId },
    MAX_COUNTED,
  )
  return selected && { count: selected.seqs.length, isExact: selected.isComplete }
}
