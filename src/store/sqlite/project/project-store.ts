import { createLru } from '../../../cache/lru.ts'
import type { ProjectReads, ProjectStore } from '../../project.ts'
import type { OpenFiles } from '../open-files.ts'
import { scrubProject } from '../scrub.ts'
import type { OpenProject } from './open-project.ts'

/** Maximum number of projects whose verbs are cached; creating them for each call would take longer than many reads. */
const MAX_PROJECT_STORES = 1_000

/** Returns the verbs of a project: the same object for the same id, as long as it is among the 1 000 most recently used. */
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

/** The verbs of a project. Each opens the project's file if necessary. */
function createProjectStore(files: OpenFiles<OpenProject>, id: string): ProjectStore {
  const read =
    <Args extends unknown[], Result>(verb: (reads: ProjectReads) => (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      files.use(id, ({ reads }) => verb(reads)(...args))
  return {
    findWorkspace: read((reads) => reads.findWorkspace),
    findSeenWorkspace: read((reads) => reads.findSeenWorkspace),
    findWorkspaceById: read((reads) => reads.findWorkspaceById),
    findWorkspacesById: read((reads) => reads.findWorkspacesById),
    listWorkspaces: read((reads) => reads.listWorkspaces),
    countWorkspaces: read((reads) => reads.countWorkspaces),
    isWrittenFor: read((reads) => reads.isWrittenFor),
    listRemovedWorkspaces: read((reads) => reads.listRemovedWorkspaces),
    findRecord: read((reads) => reads.findRecord),
    findHead: read((reads) => reads.findHead),
    listRecords: read((reads) => reads.listRecords),
    listIds: read((reads) => reads.listIds),
    listSourceSlice: read((reads) => reads.listSourceSlice),
    listTrashSlice: read((reads) => reads.listTrashSlice),
    listSupersededBy: read((reads) => reads.listSupersededBy),
    listImportedSources: read((reads) => reads.listImportedSources),
    listHeirs: read((reads) => reads.listHeirs),
    listOrphans: read((reads) => reads.listOrphans),
    listToReview: read((reads) => reads.listToReview),
    listContradictions: read((reads) => reads.listContradictions),
    listConflictsSlice: read((reads) => reads.listConflictsSlice),
    findRecordsBySeq: read((reads) => reads.findRecordsBySeq),
    findHeadsBySeq: read((reads) => reads.findHeadsBySeq),
    listLatest: read((reads) => reads.listLatest),
    selectLatest: read((reads) => reads.selectLatest),
    listRivalsOfEach: read((reads) => reads.listRivalsOfEach),
    listRivals: read((reads) => reads.listRivals),
    countRivals: read((reads) => reads.countRivals),
    findLater: read((reads) => reads.findLater),
    listVersions: read((reads) => reads.listVersions),
    countInState: read((reads) => reads.countInState),
    findWorkspacesOfSource: read((reads) => reads.findWorkspacesOfSource),
    findRecentState: read((reads) => reads.findRecentState),
    findCurrentHash: read((reads) => reads.findCurrentHash),
    listSourceHashes: read((reads) => reads.listSourceHashes),
    findCurrentHashes: read((reads) => reads.findCurrentHashes),
    findSourceStates: read((reads) => reads.findSourceStates),
    findSourceState: read((reads) => reads.findSourceState),
    readUsage: read((reads) => reads.readUsage),
    isAllowed: read((reads) => reads.isAllowed),
    findRelease: read((reads) => reads.findRelease),
    listReleases: read((reads) => reads.listReleases),
    countByDay: read((reads) => reads.countByDay),
    countStale: read((reads) => reads.countStale),
    listSources: read((reads) => reads.listSources),
    listLargestSources: read((reads) => reads.listLargestSources),
    summarizeSources: read((reads) => reads.summarizeSources),
    countReleases: read((reads) => reads.countReleases),
    readAudienceStats: read((reads) => reads.readAudienceStats),
    readIndexFacts: read((reads) => reads.readIndexFacts),
    filterRecords: read((reads) => reads.filterRecords),
    findVisibleSeqs: read((reads) => reads.findVisibleSeqs),
    findPostings: read((reads) => reads.findPostings),
    listTerms: read((reads) => reads.listTerms),
    findTokens: read((reads) => reads.findTokens),
    findNeighbours: read((reads) => reads.findNeighbours),
    listSourceParts: read((reads) => reads.listSourceParts),
    listAddedToSources: read((reads) => reads.listAddedToSources),
    listSmallProject: read((reads) => reads.listSmallProject),
    readIndexing: read((reads) => reads.readIndexing),
    checkIndex: read((reads) => reads.checkIndex),
    version: () => files.use(id, async ({ file }) => file.version()),
    scrub: (isStopped) => files.use(id, ({ file }) => scrubProject(file, isStopped)),
    write: (act) => files.use(id, ({ file, writes }) => file.writer.write(() => act(writes))),
  }
}
