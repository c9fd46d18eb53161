import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Connection } from '../connection.ts'
import { projectState } from '../schema/project.ts'

/** What a write knows of its project without asking: it has the only lock of the row. */
export type ProjectState = Omit<typeof projectState.$inferSelect, 'projectId'>

const { projectId: _projectId, ...STATE } = getTableColumns(projectState)

/** Locks the project until the end of the transaction. */
export async function lockState({ db }: Connection, projectId: string): Promise<ProjectState> {
  const read = () => db.select(STATE).from(projectState).where(eq(projectState.projectId, projectId)).for('update')
  const [found] = await read()
  if (found !== undefined) return found
  await db.insert(projectState).values({ projectId }).onConflictDoNothing()
  const [made] = await read()
  if (made === undefined) throw new Error(`no state of project ${projectId}`)
  return made
}

/** Writes the state back, as a new version. */
export async function saveState({ db }: Connection, projectId: string, state: ProjectState): Promise<void> {
  await db
    .update(projectState)
    .set({ ...state, version: sql`version + 1` })
    .where(eq(projectState.projectId, projectId))
}
