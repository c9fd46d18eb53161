import { cacheRead } from '../../../cache/cached-read.ts'
import type { ProjectReads } from '../../project.ts'
import type { Usage } from '../../record.ts'
import type { IndexFacts, Indexing, LanguageCount, SearchReads } from '../../search.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import type { Connection } from '../connection.ts'
import { createIndexCheck } from './index/index-upkeep.ts'
import type { Caching } from './index/posting-list-cache.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createSql, toEngine } from './sql.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'

/** Maximum average content size of a project that `listSmallProject` returns, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** A project's reads, over either of its connections; `caching` only for the one that reads committed data. */
export function createProjectReads(client: Connection, caching?: Caching): ProjectReads {
  const engine = toEngine(client)
  const shared = createSharedReads(createSql(client), engine)
  const usage = client.statement<Usage, []>('select records, content_bytes as contentBytes from usage')
  const readUsage = async () => usage.get() ?? { records: 0, contentBytes: 0 }
  return {
    ...shared,
    readUsage,
    ...createPostings(client, caching),
    ...createVocabularyReads(client),
    ...createFactsReads(client, caching?.opening),
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

const IS_IN_PART = '(?4 is null or workspace_id = ?4) and (?1 is null or audience in (?1, ?2, ?3))'
const AUDIENCES = `select audience, sum(records) as records, sum(length) as length from audience_stats where ${IS_IN_PART}
  group by audience having sum(records) > 0`
const LANGUAGES = `select language, sum(records) as records from languages where ${IS_IN_PART}
  group by language having sum(records) > 0`

type PartParams = [...VisibleParams, workspaceId: number | null]
type ProjectRow = { records: number; removals: number; lastSeq: number }

/** What a search needs before it reads postings. `opening` is a number unique to this opening of the file. */
function createFactsReads(client: Connection, opening = 0): Pick<SearchReads, 'readIndexFacts'> {
  const audiences = client.statement<IndexFacts['audiences'][number], PartParams>(AUDIENCES)
  const languages = client.statement<LanguageCount, PartParams>(LANGUAGES)
  const project = client.statement<ProjectRow, []>(
    'select records, removals, (select coalesce(max(seq), 0) from records) as lastSeq from usage',
  )
  const indexing = client.statement<Indexing, []>('select rules, target, reached from indexing')
  return {
    readIndexFacts: async (visible, workspaceId) => {
      const params: PartParams = [...toVisibleList(visible), workspaceId ?? null]
      const { records, removals, lastSeq } = project.get() ?? { records: 0, removals: 0, lastSeq: 0 }
      return {
        audiences: audiences.all(...params),
        languages: languages.all(...params),
        indexing: indexing.get() ?? undefined,
        projectRecords: records,
        sequence: { epoch: `${opening} ${removals}`, lastSeq },
      }
    },
  }
}
