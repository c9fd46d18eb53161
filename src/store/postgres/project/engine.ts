import { sql } from 'drizzle-orm'
import type { ProjectEngine } from '../../shared/project/sql.ts'
import { isAmong, toRows } from '../among.ts'
import { createDatabase } from '../run.ts'
import * as project from '../schema/project.ts'
import type { Scope } from './scope.ts'

/** What statements that both engines share need to reach the data of a project. */
export const toEngine = ({ projectId, run }: Scope): ProjectEngine => ({
  db: createDatabase(run) as unknown as ProjectEngine['db'],
  tables: project as unknown as ProjectEngine['tables'],
  place: sql`ctid`,
  own: { projectId },
  isAmong,
  toRows,
})
