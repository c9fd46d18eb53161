import { drizzle } from 'drizzle-orm/bun-sqlite'
import { cacheRead } from '../../../cache/cached-read.ts'
import type { ProjectReads } from '../../project.ts'
import { createImportedSourceReads } from '../../shared/project/imported-sources.ts'
import { createReleaseReads } from '../../shared/project/releases.ts'
import type { Connection } from '../connection.ts'
import { toEngine } from './engine.ts'
import { createConflicts, createRivals } from './facts.ts'
import { createFactsReads } from './index/index-facts.ts'
import { createIndexReads } from './index/index-upkeep.ts'
import type { Caching } from './index/posting-list-cache.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createScoringReads } from './index/scoring.ts'
import { createLatestReads } from './latest.ts'
import { createRecordSources } from './record-sources.ts'
import { createRecords } from './records.ts'
import { createSaveReads } from './saves.ts'
import { createSourceReads, createStateReads } from './sources.ts'
import { createStatisticsReads } from './statistics.ts'
import { createSupersededReads } from './superseded.ts'
import { createTrashReads } from './trash.ts'
import { createWorkspaceReads } from './workspaces.ts'

/** Maximum average content size of a project that `listSmallProject` returns, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** A project's reads, over either of its connections; `caching` only for the one that reads committed data. */
export function createProjectReads(client: Connection, caching?: Caching): ProjectReads {
  const db = drizzle({ client, casing: 'snake_case' })
  const records = createRecords(client, db)
  const saves = createSaveReads(client)
  const engine = toEngine(client)
  return {
    ...createWorkspaceReads(client, engine),
    ...records,
    ...createLatestReads(client),
    ...createTrashReads(client),
    ...saves,
    ...createRivals(client),
    ...createConflicts(client),
    ...createSourceReads(client),
    ...createStateReads(client),
    ...createImportedSourceReads(engine),
    ...createStatisticsReads(client),
    ...createSupersededReads(client),
    ...createPostings(client, caching),
    ...createVocabularyReads(client),
    ...createFactsReads(client, caching?.opening),
    ...createScoringReads(client),
    ...createRecordSources(client),
    listSmallProject: async (most) => {
      const usage = await saves.readUsage()
      const isSmall = usage.records <= most && usage.contentBytes <= most * MAX_AVERAGE_BYTES
      return isSmall ? records.listRecords({ visible: undefined }) : undefined
    },
    ...createIndexReads(client),
    ...createReleaseReads(engine),
  }
}

/** The same, with those that every search begins with, and contradictions, cached until the file changes. */
export function createCachedReads(client: Connection, caching: Caching): ProjectReads {
  const { version } = caching
  const reads = createProjectReads(client, caching)
  return {
    ...reads,
    findWorkspace: cacheRead(reads.findWorkspace, version),
    findSeenWorkspace: cacheRead(reads.findSeenWorkspace, version),
    readAudienceStats: cacheRead(reads.readAudienceStats, version),
    readIndexing: cacheRead(reads.readIndexing, version),
    listSmallProject: cacheRead(reads.listSmallProject, version),
    listConflictsSlice: cacheRead(reads.listConflictsSlice, version),
  }
}
