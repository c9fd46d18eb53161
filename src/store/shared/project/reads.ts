import { createConflicts } from './conflicts.ts'
import { createRivals } from './facts.ts'
import { createImportedSourceReads } from './imported-sources.ts'
import { createLatestReads } from './latest.ts'
import { createQuestionReads } from './questions.ts'
import { createRecords, createSupersededReads } from './records.ts'
import { createReleaseReads } from './releases.ts'
import { createScoringReads } from './scoring.ts'
import { createRecordSources, createSourceReads } from './sources.ts'
import type { ProjectSql } from './sql.ts'
import { createSourceCounts } from './statistics.ts'
import type { ProjectEngine } from './tables.ts'
import { createWorkspaceReads } from './workspaces.ts'

/** Reads of a project whose statements are the same on both engines. */
export function createSharedReads(sql: ProjectSql, engine: ProjectEngine) {
  const { tables } = engine
  const sources = createSourceReads(sql, tables)
  return {
    ...createWorkspaceReads(sql, engine),
    ...createRecords(sql),
    ...createSupersededReads(sql),
    ...createRivals(sql),
    ...createConflicts(sql),
    ...createScoringReads(sql),
    ...createLatestReads(sql, tables),
    ...sources,
    ...createRecordSources(sql),
    ...createSourceCounts(sql, tables, sources.findCurrentHashes),
    ...createImportedSourceReads(engine),
    ...createReleaseReads(engine),
    ...createQuestionReads(engine),
  }
}
