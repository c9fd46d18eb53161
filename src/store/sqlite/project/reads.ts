import { cacheRead } from '../../../cache/cached-read.ts'
import type { ProjectReads } from '../../project.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import type { Connection } from '../connection.ts'
import { toEngine } from './engine.ts'
import { createFactsReads } from './index/index-facts.ts'
import { createIndexCheck } from './index/index-upkeep.ts'
import type { Caching } from './index/posting-list-cache.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createSaveReads } from './saves.ts'
import { createSql } from './sql.ts'

/** Maximum average content size of a project that `listSmallProject` returns, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** A project's reads, over either of its connections; `caching` only for the one that reads committed data. */
export function createProjectReads(client: Connection, caching?: Caching): ProjectReads {
  const engine = toEngine(client)
  const shared = createSharedReads(createSql(client), engine)
  const saves = createSaveReads(client)
  return {
    ...shared,
    ...saves,
    ...createPostings(client, caching),
    ...createVocabularyReads(client),
    ...createFactsReads(client, caching?.opening),
    listSmallProject: async (most) => {
      const usage = await saves.readUsage()
      const isSmall = usage.records <= most && usage.contentBytes <= most * MAX_AVERAGE_BYTES
      return isSmall ? shared.listRecords({ visible: undefined }) : undefined
    },
    ...createIndexCheck(client),
  }
}

/** The same, with those that every search begins with, and contradictions, cached until the file changes. */
export function createCachedReads(client: Connection, caching: Caching): ProjectReads {
  const { version } = caching
  const reads = createProjectReads(client, caching)
  return {
    ...reads,
    findWorkspace: cacheRead(reads.findWorkspace, version),
    listSmallProject: cacheRead(reads.listSmallProject, version),
    listConflictsSlice: cacheRead(reads.listConflictsSlice, version),
  }
}
