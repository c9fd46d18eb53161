import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { Row } from '../pipeline.ts'
import { lockNumber, requireLocked } from '../project-numbers.ts'
import { toFields } from '../row.ts'
import { projectState } from '../schema/project.ts'
import { NEXT_VERSION } from '../version.ts'

/** The locked row of a project, which a write therefore need not read again. */
export type ProjectState = Omit<typeof projectState.$inferSelect, 'projectId' | 'version'>

const { projectId: _projectId, version: _version, ...STATE } = getTableColumns(projectState)
const FIELDS = Object.keys(STATE) as (keyof ProjectState)[]
const NAMES = sql.raw(FIELDS.map(toSnakeCase).join(', '))
const COMMA = sql.raw(', ')

// Both are part of every transaction: the query builder takes four times as long to make them.

/**
 * Locks the project until the end of the transaction, makes its row if there is none, and changes the version. Returns
 * the row.
 */
export const lockState = (projectId: number): SQL => sql`insert into project_state as state (project_id, version)
  select number, ${NEXT_VERSION} from (${lockNumber(projectId)}) as locked
  on conflict (project_id) do update set version = greatest(state.version + 1, excluded.version) returning ${NAMES}`

export const readState = ([row]: Row[]): ProjectState => toFields(STATE, requireLocked(row))

export function saveState(projectId: number, state: ProjectState): SQL {
  const values = FIELDS.map((field) => sql`${state[field]}`)
  return sql`update project_state set (${NAMES}) = row(${sql.join(values, COMMA)}) where project_id = ${projectId}`
}
