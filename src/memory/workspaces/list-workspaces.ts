import type { ProjectReads } from '../../store/project.ts'
import type { Visible } from '../../store/record.ts'
import type { SeenWorkspace } from '../../store/workspace.ts'

/** Workspaces on a page of the console. */
const PAGE_SIZE = 50
/** Workspaces in one piece of all of them. */
export const READ_SIZE = 500

/** A page of workspaces; `more` is the name after which the next begins, undefined where there is none. */
export type WorkspacePage = { workspaces: SeenWorkspace[]; more: string | undefined }

/**
 * The first workspaces after the name `after` that are active for those who see what is `visible`, in order of name, with how many records of
 * each they see. Costs the same however many there are.
 */
export async function listWorkspaces(project: ProjectReads, visible: Visible, after?: string): Promise<WorkspacePage> {
  const found = await project.listWorkspaces(visible, { after, limit: PAGE_SIZE + 1 })
  const workspaces = found.slice(0, PAGE_SIZE)
  return { workspaces, more: found.length > PAGE_SIZE ? workspaces.at(-1)?.name : undefined }
}

/** All of them, in pieces that are never empty. */
export async function* eachWorkspaces(project: ProjectReads, visible: Visible): AsyncGenerator<SeenWorkspace[]> {
  for (let after: string | undefined; ; ) {
    const piece = await project.listWorkspaces(visible, { after, limit: READ_SIZE })
    if (piece.length > 0) yield piece
    if (piece.length < READ_SIZE) return
    after = piece.at(-1)?.name
  }
}
