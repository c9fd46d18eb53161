import type { ProjectReads } from '../../../store/project.ts'
import type { Visible } from '../../../store/record.ts'
import type { OfSourcePlace } from '../../../store/record-lists.ts'
import { eachWorkspaceBatch, requireWorkspace } from '../../workspaces/workspace.ts'
import { findStale } from '../freshness.ts'
import { eachSlice } from '../slices.ts'

/** Records of a source that a reader may see: those in one workspace or, without one, in all; or only stale ones. */
export type SourceRecords = { sourceId: string; workspace?: string | undefined; stale?: boolean }

/**
 * The heads of the records of a source, slice by slice. `passedOver` counts those that are left out because they are
 * not stale at the time `now`.
 *
 * @throws Refusal for a workspace that is not active.
 */
export async function* eachSourceSlice(
  project: ProjectReads,
  visible: Visible,
  { sourceId, workspace, stale = false }: SourceRecords,
  now: number,
) {
  for (const workspaceId of await findWorkspaces(project, visible, sourceId, workspace)) {
    const readSlice = (after?: OfSourcePlace) => project.listSourceSlice({ visible, workspaceId, sourceId, after })
    for await (const { heads } of eachSlice(readSlice)) {
      const staleIds = stale ? await findStale(project, visible, heads, now) : undefined
      const chosen = staleIds === undefined ? heads : heads.filter(({ id }) => staleIds.has(id))
      yield { heads: chosen, passedOver: heads.length - chosen.length }
    }
  }
}

/** The ids of the named workspace, or of all in which the reader sees records of the source. */
async function findWorkspaces(
  project: ProjectReads,
  visible: Visible,
  sourceId: string,
  name: string | undefined,
): Promise<number[]> {
  if (name !== undefined) return [(await requireWorkspace(project, visible, name)).id]
  const found: number[] = []
  for await (const batch of eachWorkspaceBatch(project, visible)) {
    const ids = batch.map(({ id }) => id)
    found.push(...(await project.findWorkspacesOfSource(visible, sourceId, ids)))
  }
  return found
}
