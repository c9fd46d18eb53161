import { sql } from 'drizzle-orm'
import { DataError } from '../../../errors.ts'
import type { Connection } from '../connection.ts'
import type { Pool } from '../pool.ts'

const isThere = async ({ db }: Connection): Promise<boolean> =>
  (await db.execute<{ is: boolean }>(sql`select to_regclass('moving') is not null as is`))[0]?.is ?? false

/**
 * The mark of a database that is being filled: the fingerprint of what it is filled from, in a table of its own.
 * Undefined if there is none.
 */
export function findMoving(pool: Pool): Promise<string | undefined> {
  return pool.use(undefined, async (connection) => {
    if (!(await isThere(connection))) return undefined
    const [row] = await connection.db.execute<{ fingerprint: string }>(sql`select fingerprint from moving`)
    return row?.fingerprint ?? ''
  })
}

/** @throws DataError if a move into the database has not ended. */
export async function requireWhole(pool: Pool): Promise<void> {
  if (await pool.use(undefined, isThere))
    throw new DataError(
      "a move into this database has not ended; run the same 'memsvc move' again, or make a new database",
    )
}
