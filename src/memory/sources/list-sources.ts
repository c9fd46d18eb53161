import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Source, Visible } from '../../store/record.ts'
import type { SourceCount, SourceSummary } from '../../store/statistics.ts'
import { type Counted, countPresent, createKeptCounts, type KeptCounts } from '../overview/kept-counts.ts'
import type { Viewer } from '../records/lists/record-filter.ts'
import { isLongerThan } from '../records/text-argument.ts'
import type { Memory } from '../visibility.ts'
import { eachWorkspaceBatch, requireWorkspace } from '../workspaces/workspace.ts'

/** Sources on a page of a list. */
const PAGE_SIZE = 50

/** A source with the name of its workspace. */
export type ListedSource = SourceSummary & { workspace: string }

/** Identifies a source by name and workspace name. */
type NamedSource = { workspace: string; sourceId: string }

/** A page of sources; `more` is the source after which the next page begins, undefined on the last page. */
type SourceList = { sources: ListedSource[]; more: NamedSource | undefined }

/** Which sources are listed: those of a workspace, with `text` in their names, after the source `after`. */
type SourceArguments = { workspace?: string; text?: string; after?: NamedSource }

const MAX_TEXT_CHARACTERS = 512

/**
 * A page of the sources that have records a viewer may see, by the names of their workspaces, then by their own: any
 * other order of workspaces would tell of saves into them that the viewer may not see.
 *
 * @throws Refusal for a workspace that is not active, and for a text or a source of more than 512 characters.
 */
export async function listSources(
  { store, clock }: AppContext,
  { projectId, visible }: Viewer,
  { workspace, text, after }: SourceArguments,
): Promise<SourceList> {
  if ([text ?? '', after?.sourceId ?? ''].some((part) => isLongerThan(part, MAX_TEXT_CHARACTERS)))
    throw new Refusal(`give at most ${MAX_TEXT_CHARACTERS} characters of a source`)
  const project = store.project(projectId)
  const found: SourceCount[] = []
  let last = after?.sourceId
  for await (const workspaceIds of eachWorkspaces(
    project,
    visible,
    workspace ?? after?.workspace,
    workspace !== undefined,
  )) {
    found.push(
      ...(await project.listSources({ visible, workspaceIds, text, after: last, limit: PAGE_SIZE + 1 - found.length })),
    )
    if (found.length > PAGE_SIZE) break
    last = undefined
  }
  const sources = await toListed(project, visible, found.slice(0, PAGE_SIZE), clock.now())
  return { sources, more: found.length > PAGE_SIZE ? sources.at(-1) : undefined }
}

/** Yields ids of the workspaces by name, of the first alone and then of many at a time. */
async function* eachWorkspaces(
  project: ProjectReads,
  visible: Visible,
  first: string | undefined,
  isOnly: boolean,
): AsyncGenerator<number[]> {
  if (first !== undefined) yield [(await requireWorkspace(project, visible, first)).id]
  if (isOnly) return
  for await (const batch of eachWorkspaceBatch(project, visible, first)) yield batch.map(({ id }) => id)
}

/** Adds to sources what lists show of them at the time `now`; omits those that have no visible record any more. */
export async function toListed(
  project: ProjectReads,
  visible: Visible,
  sources: Source[],
  now: number,
): Promise<ListedSource[]> {
  const workspaces = await project.findWorkspacesById([...new Set(sources.map(({ workspaceId }) => workspaceId))])
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const summaries = await project.summarizeSources(visible, sources, now)
  return summaries.map((summary) => ({ ...summary, workspace: names.get(summary.workspaceId) ?? '' }))
}

/** Sources that can be sorted: sorting them takes some 10 ms. */
const MAX_SORTED = 10_000
/** Lists of sources that are kept, of 2 MB each at most. */
const MAX_KEPT = 16

export type SortableSource = Omit<SourceSummary, 'hash'>
type Sources = { sources: SortableSource[]; count: number }

/** Key: project, the viewer's audiences, and whether the sources are listed or only counted. */
export type SortedSources = KeptCounts<Sources>

export const createSortedSources = (): SortedSources => createKeptCounts(MAX_KEPT)

/**
 * How many sources with visible records a project has and, if they are to be sorted, the 10 000 that have the most
 * records, with numbers that may be some seconds old; undefined while those of a project with many records are counted
 * for the first time.
 */
export function countSources(
  ctx: AppContext & { sortedSources: SortedSources },
  memory: Memory,
  isSorted: boolean,
): Promise<Counted<Sources> | undefined> {
  const count = () => readSources(ctx, memory, isSorted ? MAX_SORTED : 0)
  return countPresent(ctx, memory, { kept: ctx.sortedSources, name: isSorted ? 'sorted' : 'counted', count })
}

/** Those of the sources that are of a workspace, with a text in their names, if these are given. */
export async function selectSources(
  project: ProjectReads,
  visible: Visible,
  sources: SortableSource[],
  { workspace, text }: { workspace?: string; text?: string },
): Promise<SortableSource[]> {
  const id = workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id
  const part = text?.toLowerCase() ?? ''
  const isWanted = ({ workspaceId, sourceId }: Source) =>
    (id === undefined || workspaceId === id) && sourceId.toLowerCase().includes(part)
  return sources.filter(isWanted)
}

async function readSources({ clock }: AppContext, { records, visible }: Memory, limit: number): Promise<Sources> {
  const { sources, count } = await records.listLargestSources(visible, limit)
  const summaries = await records.summarizeSources(visible, sources, clock.now())
  return { sources: summaries.map(({ hash: _, ...source }) => source), count }
}
