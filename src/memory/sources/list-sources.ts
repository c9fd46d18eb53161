import type { AppContext } from '../../account/context.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Source, Visible } from '../../store/record.ts'
import type { SourceSummary } from '../../store/statistics.ts'
import type { Viewer } from '../records/record-filter.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'

/** Sources on a page of a list. */
export const PAGE_SIZE = 50

/** A source with the name of its workspace. */
export type ListedSource = SourceSummary & { workspace: string }

/** A page of sources; `more` is the one after which the next page begins, undefined on the last page. */
export type SourceList = { sources: ListedSource[]; more: Source | undefined }

/** Which sources: of a workspace, with a text in their names, after one. */
export type SourceArguments = { workspace?: string | undefined; text?: string | undefined; after?: Source | undefined }

/**
 * A page of the sources that have records a viewer may see, in the order in which their workspaces were made and then by name.
 *
 * @throws Refusal for a workspace that is not active.
 */
export async function listSources(
  { store, clock }: AppContext,
  { projectId, visible }: Viewer,
  { workspace, text, after }: SourceArguments,
): Promise<SourceList> {
  const project = store.project(projectId)
  const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id
  const found = await project.listSources({ visible, workspaceId, text, after, limit: PAGE_SIZE + 1 })
  const page = found.slice(0, PAGE_SIZE)
  return { sources: await toListed(project, visible, page, clock.now()), more: found.length > PAGE_SIZE ? page.at(-1) : undefined }
}

/** Sources with what lists show of them at the time `now`; without those that have no visible record any more. */
export async function toListed(project: ProjectReads, visible: Visible, sources: Source[], now: number): Promise<ListedSource[]> {
  const workspaces = await project.findWorkspacesById([...new Set(sources.map(({ workspaceId }) => workspaceId))])
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const summaries = await project.summarizeSources(visible, sources, now)
  return summaries.map((summary) => ({ ...summary, workspace: names.get(summary.workspaceId) ?? '' }))
}
