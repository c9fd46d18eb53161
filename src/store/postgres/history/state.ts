import { eq, type SQL, sql } from 'drizzle-orm'
import type { Connection, Row } from '../connection.ts'
import { toFields } from '../row.ts'
import { historyState } from '../schema/history.ts'

/** The locked row of a project's histories, which a write therefore need not read again. */
export type HistoryState = Omit<typeof historyState.$inferSelect, 'projectId'>

const { lastBlockId } = historyState
const STATE = { lastBlockId }

/** Locks the histories of the project until the end of the transaction, and makes their row if there is none. Returns the row. */
export const lockHistory = ({ db }: Pick<Connection, 'db'>, projectId: string): SQL =>
  db
    .insert(historyState)
    .values({ projectId })
    .onConflictDoUpdate({ target: historyState.projectId, set: { lastBlockId: sql`${lastBlockId}` } })
    .returning(STATE)
    .getSQL()

export function readHistory([row]: Row[]): HistoryState {
  if (row === undefined) throw new Error('the row of the histories was not locked')
  return toFields(STATE, row)
}

export const saveHistory = ({ db }: Pick<Connection, 'db'>, projectId: string, state: HistoryState): SQL =>
  db.update(historyState).set(state).where(eq(historyState.projectId, projectId)).getSQL()
