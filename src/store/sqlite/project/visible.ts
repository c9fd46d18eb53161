import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Visible } from '../../record.ts'

/** Parameters of the condition `(v1 is null or audience in (v1, v2, v3))`. */
export type VisibleParams = [v1: string | null, v2: string | null, v3: string | null]

/** An audience that no record has. */
const NOBODY = ''

/** The audiences of a caller, at most three (project, department, own), as parameters. Nulls pass every record; an empty list passes none. */
export function toVisibleParams(visible: Visible): { v1: string | null; v2: string | null; v3: string | null } {
  const [v1 = visible === undefined ? null : NOBODY, v2 = v1, v3 = v1] = visible ?? []
  return { v1, v2, v3 }
}

/** The same for statements whose parameters have numbers. */
export function toVisibleList(visible: Visible): VisibleParams {
  const { v1, v2, v3 } = toVisibleParams(visible)
  return [v1, v2, v3]
}

/** The condition in a statement that Drizzle prepares, with the parameters of `toVisibleParams`. */
export function isVisible(audience: SQLiteColumn): SQL {
  const [v1, v2, v3] = [sql.placeholder('v1'), sql.placeholder('v2'), sql.placeholder('v3')]
  return sql`(${v1} is null or ${audience} in (${v1}, ${v2}, ${v3}))`
}
