import { sql } from 'drizzle-orm'
import { Refusal } from '../../errors.ts'
import { isConnectionLost, toState } from './errors.ts'
import type { Pool } from './pool.ts'

/** How long the outcome of a commit is asked for where the connection broke before the answer. */
const OUTCOME_TIMEOUT_MS = 10_000

/** The connection broke at the commit, and no other one told how it ended. */
class UnknownOutcome extends Refusal {
  constructor() {
    super('the database was lost during the commit; look whether it was saved before you try again')
  }
}

/** Whether a transaction took effect. Waits while it is in progress, and until a connection can be made; rejects when that takes too long. */
export async function isCommitted(pool: Pool, transaction: string): Promise<boolean> {
  for (const end = Date.now() + OUTCOME_TIMEOUT_MS; Date.now() < end; await Bun.sleep(50)) {
    try {
      const [row] = await pool.use(undefined, ({ db }) =>
        db.execute<{ status: string }>(sql`select pg_xact_status(${transaction}::xid8) as status`),
      )
      if (row?.status === 'committed') return true
      if (row?.status === 'aborted') return false
    } catch (error) {
      if (!isConnectionLost(error) && toState(error) === undefined) throw error
    }
  }
  throw new UnknownOutcome()
}
