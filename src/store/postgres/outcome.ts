import { sql } from 'drizzle-orm'
import { Refusal } from '../../errors.ts'
import { toState } from './errors.ts'
import type { Row } from './pipeline.ts'
import type { Pool } from './pool.ts'

/** How long the outcome of a commit is queried after the connection was lost before the answer. */
const OUTCOME_TIMEOUT_MS = 10_000
/** The SQLSTATE for the status of a transaction whose number is in the future. */
const NEVER_GIVEN = '22023'

/** The connection was lost during the commit, and its outcome could not be determined. */
class UnknownOutcome extends Refusal {
  constructor() {
    super('the database was lost during the commit; look whether it was saved before you try again')
  }
}

/** The number of a transaction, and the run of the server that gave it. */
export type TransactionName = { number: string; run: string }

/** When the server was started, or took up again after a crash, which forgets all statistics. */
export const RUN = "concat(pg_postmaster_start_time(), ' ', (select stats_reset from pg_stat_wal))"

/** The statement that reads the name of the transaction in progress. */
export const NAME = sql`select pg_current_xact_id()::text as number, ${sql.raw(RUN)} as run`

export const readName = ([row]: Row[]): TransactionName => ({ number: String(row?.number), run: String(row?.run) })

/**
 * Whether a transaction was committed. Waits while it is in progress and until a connection can be made to a server
 * that takes writes; rejects if that takes too long. The look-up first writes an empty message to the log: a standby,
 * to which the commit may still be on its way, refuses that, and a server with synchronous standbys answers only when
 * they have what was committed before. A server that crashed, or a standby that replaced it, may reuse transaction
 * numbers that had not reached the disk: there, a committed number may belong to another transaction, so the outcome is
 * unknown; a number that is not committed, or was never assigned, did not take effect.
 */
export async function isCommitted(pool: Pool, { number, run }: TransactionName): Promise<boolean> {
  for (const end = performance.now() + OUTCOME_TIMEOUT_MS; performance.now() < end; await Bun.sleep(50)) {
    try {
      const [found] = await pool.use(undefined, ({ db }) =>
        db.execute<{ status: string; run: string }>(
          sql`select pg_xact_status(${number}::xid8) as status, ${sql.raw(RUN)} as run from pg_logical_emit_message(true, 'memsvc', '')`,
        ),
      )
      if (found?.status === 'aborted') return false
      if (found?.status === 'committed' && found.run === run) return true
      if (found?.status === 'committed') break
    } catch (error) {
      if (toState(error) === NEVER_GIVEN) return false
    }
  }
  throw new UnknownOutcome()
}
