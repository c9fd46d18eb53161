import type { Visible } from '../../record.ts'
import { NOBODY } from '../../shared/project/sql.ts'

/** Parameters of the condition `(v1 is null or audience in (v1, v2, v3))`. */
export type VisibleParams = [v1: string | null, v2: string | null, v3: string | null]

/**
 * The audiences of a caller, at most three (project, department, own), as parameters. Nulls pass every record; an empty
 * list passes none.
 */
export function toVisibleList(visible: Visible): VisibleParams {
  const [v1 = visible === undefined ? null : NOBODY, v2 = v1, v3 = v1] = visible ?? []
  return [v1, v2, v3]
}
