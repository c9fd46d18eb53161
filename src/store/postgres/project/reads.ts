import { eq } from 'drizzle-orm'
import type { ProjectReads } from '../../project.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import { createSharedReads } from '../../shared/project/reads.ts'
import { projectState } from '../schema/project.ts'
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
  const shared = withFailures(toCause, createSharedReads(createSql(scope), toEngine(scope)))
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
    listSmallProject: async (most) => {
      const usage = await readUsage()
      const isSmall = usage.records <= most && usage.contentBytes <= most * MAX_AVERAGE_BYTES
      return isSmall ? shared.listRecords({ visible: undefined }) : undefined
    },
  }
}
