import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Visible } from '../../record.ts'
import type { Run } from '../run.ts'

/** The project whose data verbs are about, and how they reach it. */
export type Scope = {
  projectId: number
  run: Run
  /** In a write: sends a statement whose answer nobody needs, together with what follows. */
  later?: (statement: SQL) => Promise<void>
}

/**
 * Whether a row belongs to the project. Every statement states this itself; row-level security is a second line of
 * defence.
 */
export const isOf = (table: { projectId: PgColumn }, { projectId }: Pick<Scope, 'projectId'>): SQL =>
  eq(table.projectId, projectId)

/** Whether a row's audience is visible; no condition for the operator. */
export function isVisible(column: PgColumn, visible: Visible): SQL | undefined {
  if (visible === undefined) return undefined
  return visible.length === 0 ? sql`false` : inArray(column, visible)
}
