import { eq } from 'drizzle-orm'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import type { ProjectReads } from '../../project.ts'
import type { SmallRecord } from '../../search.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import { type ProjectSql, toSelectList } from '../../shared/project/sql.ts'
import { projectState, records } from '../schema/project.ts'
import { toEngine } from './engine.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createFactsReads } from './index/index-facts.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import type { Scope } from './scope.ts'
import { createSql } from './sql.ts'

/** The largest average content of a project that `listSmallProject` returns whole, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** The verbs that read a project. */
export function createReads(scope: Scope): ProjectReads {
  const sql = createSql(scope)
  const shared = withFailures(toCause, createSharedReads(sql, toEngine(scope)))
  const readUsage: ProjectReads['readUsage'] = () =>
    scope.run(async ({ db }) => {
      const { records: count, contentBytes } = projectState
      const [row] = await db
        .select({ records: count, contentBytes })
        .from(projectState)
        .where(eq(projectState.projectId, scope.projectId))
      return row ?? { records: 0, contentBytes: 0 }
    })
  return {
    ...shared,
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createFactsReads(scope),
    ...createIndexCheck(scope),
    readUsage,
    listSmallProject: (most) => listSmallProject(sql, most),
  }
}

const { seq, workspaceId, audience, id, factKey, sourceId, askedAs } = records
const SMALL = toSelectList({ seq, workspaceId, audience, id, factKey, sourceId, askedAs })

/** Records with their index entries, in one statement. A project without records has one row, of nulls. */
async function listSmallProject({ all, own }: ProjectSql, most: number): Promise<SmallRecord[] | undefined> {
  const isSmall = `${own('state')} and state.records <= $most and state.content_bytes <= $bytes`
  const hasEntry = `state.rules = ${ANALYZER_VERSION} and records.codes is not null`
  const rows = await all<SmallRecord | { seq: null }>(
    `select ${SMALL}, case when ${hasEntry} then null else records.content end as content, records.terms,
      records.length, records.codes from project_state as state
      left join records on ${own('records')} and records.forgotten_at is null where ${isSmall} order by records.seq`,
    { most, bytes: most * MAX_AVERAGE_BYTES },
  )
  return rows.length === 0 ? undefined : rows.filter((row): row is SmallRecord => row.seq !== null)
}
