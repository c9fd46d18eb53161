import { createLru } from '../../../cache/lru.ts'
import type { ProjectReads, ProjectStore } from '../../project.ts'
import { inTurn } from '../long-reads.ts'
import type { OpenFiles } from '../open-files.ts'
import { scrub } from '../scrub.ts'
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

/**
 * Every verb that reads a project. Each waits for its turn among the long work of the process, so that callers which
 * read one thing after another let others in.
 */
const READS: Record<keyof ProjectReads, true> = {
  findWorkspace: true,
  findWorkspaceInAnyCase: true,
  findWorkspacesById: true,
  listWorkspaces: true,
  countWorkspaces: true,
  listRemovedWorkspaces: true,
  findRecord: true,
  findHead: true,
  listRecords: true,
  listSourceSlice: true,
  listOfSourcesBeginning: true,
  listTrashSlice: true,
  listSupersededBy: true,
  listImportedSources: true,
  listOrphans: true,
  listToReview: true,
  countForgotten: true,
  listContradictions: true,
  listConflictsSlice: true,
  findRecordsBySeq: true,
  findHeadsBySeq: true,
  listLatest: true,
  selectLatest: true,
  countLatest: true,
  listRivals: true,
  countRivals: true,
  findLater: true,
  listVersions: true,
  countInState: true,
  findWorkspacesOfSource: true,
  findRecentState: true,
  listSourceHashes: true,
  findCurrentHashes: true,
  findSourceStates: true,
  readUsage: true,
  findRelease: true,
  listReleases: true,
  findQuestion: true,
  listQuestions: true,
  countQuestions: true,
  countRecords: true,
  countByDay: true,
  countStale: true,
  listSources: true,
  listLargestSources: true,
  countSettled: true,
  summarizeSources: true,
  countReleases: true,
  readIndexFacts: true,
  filterRecords: true,
  findPostings: true,
  listTerms: true,
  findTokens: true,
  findNeighbours: true,
  listSourceParts: true,
  listAddedToSources: true,
  listSmallProject: true,
  checkIndex: true,
}

/** The verbs of a project. Each opens the project's file if necessary. */
function createProjectStore(files: OpenFiles<OpenProject>, id: string): ProjectStore {
  const read = (verb: keyof ProjectReads) =>
    inTurn((...args: never[]) =>
      files.use(id, ({ reads }) => (reads[verb] as (...args: never[]) => Promise<unknown>)(...args)),
    )
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
    scrub: (isStopped) => files.use(id, ({ file }) => scrub(file, isStopped)),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
  }
}
