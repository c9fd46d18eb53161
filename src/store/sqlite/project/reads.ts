import { cacheRead } from '../../../cache/cached-read.ts'
import type { ProjectReads } from '../../project.ts'
import type { Usage } from '../../record.ts'
import { type Indexing, MAX_AVERAGE_BYTES, type SearchReads } from '../../search.ts'
import { toIndexCounts } from '../../shared/project/index-counts.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import type { ProjectSql } from '../../shared/project/sql.ts'
import type { Connection } from '../connection.ts'
import { createIndexCheck } from './index/index-upkeep.ts'
import type { Caching } from './index/posting-list-cache.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createSql, toEngine } from './sql.ts'

/** A project's reads, over either of its connections; `caching` only for the one that reads committed data. */
export function createProjectReads(client: Connection, caching?: Caching): ProjectReads {
  const sql = createSql(client)
  const shared = createSharedReads(sql, toEngine(client))
  const usage = client.statement<Usage, []>('select records, content_bytes as contentBytes from usage')
  const readUsage = async () => usage.get() ?? { records: 0, contentBytes: 0 }
  return {
    ...shared,
    readUsage,
    ...createPostings(client, caching),
    ...createVocabularyReads(client),
    ...createFactsReads(client, sql, caching?.opening),
    listSmallProject: async (most) => {
      const { records, contentBytes } = await readUsage()
      const isSmall = records <= most && contentBytes <= most * MAX_AVERAGE_BYTES
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

type ProjectRow = { records: number; removals: number; lastSeq: number }

/** What a search needs before it reads postings. `opening` is a number unique to this opening of the file. */
function createFactsReads(client: Connection, sql: ProjectSql, opening = 0): Pick<SearchReads, 'readIndexFacts'> {
  const project = client.statement<ProjectRow, []>(
    'select records, removals, (select coalesce(max(seq), 0) from records) as lastSeq from usage',
  )
  const indexing = client.statement<Indexing, []>('select rules, target, reached from indexing')
  return {
    readIndexFacts: async (visible, workspaceId) => {
      const { records, removals, lastSeq } = project.get() ?? { records: 0, removals: 0, lastSeq: 0 }
      const { audiences, languages, params } = toIndexCounts(sql, visible, workspaceId)
      return {
        audiences: await sql.all(audiences, params),
        languages: await sql.all(languages, params),
        indexing: indexing.get() ?? undefined,
        projectRecords: records,
        sequence: { epoch: `${opening} ${removals}`, lastSeq },
      }
    },
  }
}
