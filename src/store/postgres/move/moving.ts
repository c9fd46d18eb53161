import { sql } from 'drizzle-orm'
import { DataError } from '../../../errors.ts'
import type { Pool } from '../pool.ts'

/**
 * The mark of a database that is being filled: the fingerprint of what it is filled from, in a table of its own.
 * Undefined if there is none.
 */
export async function findMoving(pool: Pool): Promise<string | undefined> {
  return pool.use(undefined, async ({ db }) => {
    const [there] = await db.execute<{ is: boolean }>(sql`select to_regclass('moving') is not null as is`)
    if (!there?.is) return undefined
    const [row] = await db.execute<{ fingerprint: string }>(sql`select fingerprint from moving`)
    return row?.fingerprint ?? ''
  })
}

/** @throws DataError if a move into the database has not ended. */
export async function requireWhole(pool: Pool): Promise<void> {
  if ((await findMoving(pool)) !== undefined)
    throw new DataError(
      "a move into this database has not ended; run the same 'memsvc move' again, or make a new database",
    )
}
