import type { AppContext } from '../../account/context.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { Source, Visible } from '../../store/record.ts'
import type { SourceSummary } from '../../store/statistics.ts'
import type { Memory } from '../authorize-memory.ts'
import { type Counted, countPresent, createKeptCounts, type KeptCounts } from '../overview/kept-counts.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'

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
