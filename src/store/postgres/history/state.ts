import { eq } from 'drizzle-orm'
import type { Connection } from '../connection.ts'
import { historyState } from '../schema/history.ts'

/** What a write knows of a project's histories without asking: it has the only lock of the row. */
export type HistoryState = Omit<typeof historyState.$inferSelect, 'projectId'>

const { lastSegmentId, lastRecordId, lastBlockId } = historyState

/** Locks the histories of the project until the end of the transaction. */
export async function lockHistory({ db }: Connection, projectId: string): Promise<HistoryState> {
  const read = () =>
    db.select({ lastSegmentId, lastRecordId, lastBlockId }).from(historyState).where(eq(historyState.projectId, projectId)).for('update')
  const [found] = await read()
  if (found !== undefined) return found
  await db.insert(historyState).values({ projectId }).onConflictDoNothing()
  const [made] = await read()
  if (made === undefined) throw new Error(`no state of the histories of project ${projectId}`)
  return made
}

export async function saveHistory({ db }: Connection, projectId: string, state: HistoryState): Promise<void> {
  await db.update(historyState).set(state).where(eq(historyState.projectId, projectId))
}
