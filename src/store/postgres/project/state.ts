import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Connection, Row } from '../connection.ts'
import { toFields } from '../row.ts'
import { projectState } from '../schema/project.ts'

/** The locked row of a project, which a write therefore need not read again. */
export type ProjectState = Omit<typeof projectState.$inferSelect, 'projectId' | 'version'>

const { projectId: _projectId, version, ...STATE } = getTableColumns(projectState)

/** Locks the project until the end of the transaction, makes its row if there is none, and counts the version on. Returns the row. */
export const lockState = ({ db }: Pick<Connection, 'db'>, projectId: string): SQL =>
  db
    .insert(projectState)
    .values({ projectId, version: 1 })
    .onConflictDoUpdate({ target: projectState.projectId, set: { version: sql`${version} + 1` } })
    .returning(STATE)
    .getSQL()

export function readState([row]: Row[]): ProjectState {
  if (row === undefined) throw new Error('the row of the project was not locked')
  return toFields(STATE, row)
}

export const saveState = ({ db }: Pick<Connection, 'db'>, projectId: string, state: ProjectState): SQL =>
  db.update(projectState).set(state).where(eq(projectState.projectId, projectId)).getSQL()
