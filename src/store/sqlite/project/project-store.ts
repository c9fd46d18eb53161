import { createLru } from '../../../cache/lru.ts'
import type { ProjectReads, ProjectStore } from '../../project.ts'
import { inTurn } from '../long-reads.ts'
import type { OpenFiles } from '../open-files.ts'
import { scrubProject } from '../scrub.ts'
import type { OpenProject } from './open-project.ts'

/** Maximum number of projects whose verbs are cached; creating them for each call would take longer than many reads. */
const MAX_PROJECT_STORES = 1_000

/**
 * Returns the verbs of a project: the same object for the same id, as long as it is among the 1 000 most recently used.
 */
export function createProjectStores(files: OpenFiles<OpenProject>): (id: string) => ProjectStore {
  const stores = createLru<string, ProjectStore>({ maxEntries: MAX_PROJECT_STORES })
  return (id) => {
    const known = stores.get(id)
    if (known !== undefined) return known
    const made = createProjectStore(files, id)
    stores.set(id, made)
    return made
  }
}

/** Every verb that reads a project. A long list is read by one that waits for its turn before each part of it. */
const READS: Record<keyof ProjectReads, 'at once' | 'in turn'> = {
  findWorkspace: 'at once',
  findWorkspaceInAnyCase: 'at once',
  findWorkspacesById: 'at once',
  listWorkspaces: 'in turn',
  countWorkspaces: 'at once',
  listRemovedWorkspaces: 'in turn',
  findRecord: 'at once',
  findHead: 'at once',
  listRecords: 'in turn',
  listSourceSlice: 'in turn',
  listTrashSlice: 'in turn',
  listSupersededBy: 'at once',
  listImportedSources: 'in turn',
  listOrphans: 'in turn',
  listToReview: 'at once',
  countForgotten: 'at once',
  listContradictions: 'at once',
  listConflictsSlice: 'in turn',
  findRecordsBySeq: 'at once',
  findHeadsBySeq: 'at once',
  listLatest: 'in turn',
  selectLatest: 'at once',
  listRivals: 'at once',
  countRivals: 'at once',
  findLater: 'at once',
  listVersions: 'at once',
  countInState: 'at once',
  findWorkspacesOfSource: 'at once',
  findRecentState: 'at once',
  listSourceHashes: 'at once',
  findCurrentHashes: 'at once',
  findSourceStates: 'in turn',
  readUsage: 'at once',
  findRelease: 'at once',
  listReleases: 'in turn',
  findQuestion: 'at once',
  listQuestions: 'at once',
  countQuestions: 'at once',
  countByDay: 'at once',
  countStale: 'at once',
  listSources: 'in turn',
  listLargestSources: 'at once',
  summarizeSources: 'at once',
  countReleases: 'at once',
  readIndexFacts: 'at once',
  filterRecords: 'at once',
  findPostings: 'at once',
  listTerms: 'at once',
  findTokens: 'at once',
  findNeighbours: 'at once',
  listSourceParts: 'at once',
  listAddedToSources: 'at once',
  listSmallProject: 'at once',
  checkIndex: 'at once',
}

/** The verbs of a project. Each opens the project's file if necessary. */
function createProjectStore(files: OpenFiles<OpenProject>, id: string): ProjectStore {
  const read = (verb: keyof ProjectReads) => {
    const atOnce = (...args: never[]) =>
      files.use(id, ({ reads }) => (reads[verb] as (...args: never[]) => Promise<unknown>)(...args))
    return READS[verb] === 'in turn' ? inTurn(atOnce) : atOnce
  }
  const reads = Object.fromEntries(
    (Object.keys(READS) as (keyof ProjectReads)[]).map((verb) => [verb, read(verb)]),
  ) as unknown as ProjectReads
  return {
    ...reads,
    // Every commit empties the page cache of `reads`, and saves would read pages of the index from the file each time.
    // Nothing uncommitted is found by `writes` either: changes of the index are deferred to the commit.
    findPostings: (query) =>
      files.use(id, ({ reads, writes }) => (query.isForSave ? writes : reads).findPostings(query)),
    version: () => files.use(id, async ({ file }) => file.version()),
    scrub: (isStopped) => files.use(id, ({ file }) => scrubProject(file, isStopped)),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
  }
}
