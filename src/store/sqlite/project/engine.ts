import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { isAmong, toRows } from '../among.ts'
import type { Connection } from '../connection.ts'
import * as project from '../schema/project.ts'

/**
 * What statements that both engines share need of a connection to a project's file. Its queries are awaited as those of
 * an asynchronous driver are.
 */
export const toEngine = (client: Connection): ProjectEngine => ({
  db: drizzle({ client, casing: 'snake_case' }) as unknown as ProjectEngine['db'],
  tables: project,
  place: sql`rowid`,
  own: {},
  isAmong,
  toRows,
})
