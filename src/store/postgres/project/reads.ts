import { eq } from 'drizzle-orm'
import type { ProjectReads } from '../../project.ts'
import { toCause, withFailures } from '../../shared/engine.ts'
import { createImportedSourceReads } from '../../shared/project/imported-sources.ts'
import { createReleaseReads } from '../../shared/project/releases.ts'
import { projectState } from '../schema/project.ts'
import { toEngine } from './engine.ts'
import { createConflicts, createRivals } from './facts.ts'
import { createIndexCheck } from './index/index-check.ts'
import { createFactsReads } from './index/index-facts.ts'
import { createIndexReads } from './index/index-upkeep.ts'
import { createPostings, createVocabularyReads } from './index/postings.ts'
import { createScoringReads } from './index/scoring.ts'
import { createLatestReads } from './latest.ts'
import { createRecordSources } from './record-sources.ts'
import { createRecords } from './records.ts'
import type { Scope } from './scope.ts'
import { createSourceReads, createStateReads } from './sources.ts'
import { createStatisticsReads } from './statistics.ts'
import { createSupersededReads } from './superseded.ts'
import { createTrashReads } from './trash.ts'
import { createWorkspaceReads } from './workspaces.ts'

/** The largest average content of a project that `listSmallProject` returns whole, in bytes. */
const MAX_AVERAGE_BYTES = 1_024

/** The verbs that read a project. */
export function createReads(scope: Scope): ProjectReads {
  const records = createRecords(scope)
  const engine = toEngine(scope)
  const readUsage: ProjectReads['readUsage'] = () =>
    scope.run(async ({ db }) => {
      const { records: count, contentBytes } = projectState
      const [row] = await db.select({ records: count, contentBytes }).from(projectState).where(eq(projectState.projectId, scope.projectId))
      return row ?? { records: 0, contentBytes: 0 }
    })
  return {
    ...createWorkspaceReads(scope),
    ...records,
    ...createLatestReads(scope),
    ...createTrashReads(scope),
    ...createRivals(scope),
    ...createConflicts(scope),
    ...createSourceReads(scope),
    ...createStateReads(scope),
    ...createStatisticsReads(scope),
    ...createSupersededReads(scope),
    ...createPostings(scope),
    ...createVocabularyReads(scope),
    ...createFactsReads(scope),
    ...createScoringReads(scope),
    ...createRecordSources(scope),
    ...createIndexReads(scope),
    ...createIndexCheck(scope),
    ...withFailures(toCause, { ...createImportedSourceReads(engine), ...createReleaseReads(engine) }),
    readUsage,
    listSmallProject: async (most) => {
      const usage = await readUsage()
      const isSmall = usage.records <= most && usage.contentBytes <= most * MAX_AVERAGE_BYTES
      return isSmall ? records.listRecords({ visible: undefined }) : undefined
    },
  }
}
