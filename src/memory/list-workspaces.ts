import type { Means } from '../account/means.ts'
import type { Audience, Workspace } from '../store/project.ts'

export type SeenWorkspace = Workspace & { records: number }

/** The workspaces of a project that are active for those who see these audiences, by name, with how many records of each they see. */
export async function listWorkspaces({ store }: Pick<Means, 'store'>, projectId: string, visible: Audience[]): Promise<SeenWorkspace[]> {
  const project = store.project(projectId)
  const holdings = (await project.readHoldings()).filter(({ audience }) => visible.includes(audience))
  const seen: SeenWorkspace[] = []
  for (const workspace of await project.listWorkspaces()) {
    if (!(await project.isWrittenFor(visible, workspace.id))) continue
    const own = holdings.filter(({ workspaceId }) => workspaceId === workspace.id)
    seen.push({ ...workspace, records: own.reduce((sum, { records }) => sum + records, 0) })
  }
  return seen
}
