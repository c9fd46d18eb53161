import { sql } from 'drizzle-orm'
import { StorageDown, StorageRefusal } from '../../errors.ts'
import type { Control } from '../control.ts'
import type { Place, Windows } from '../windows.ts'
import { LATE, STANDBY } from './errors.ts'
import type { Pool } from './pool.ts'
import { createReadRun } from './run.ts'

/** Longest that the database may take: whoever asks for the state of an instance gives up soon. */
const MAX_CHECK_MS = 3_000
/** A window that is never full. */
const READINESS: Place = { id: 'readiness', limit: 1_000_000 }
/** How long a lost connection is tried anew: shorter, so that it is said why there is none. */
const PATIENCE_MS = 2_000

/**
 * Resolves, when the database has taken a write, to the milliseconds of its answer to a read. @throws StorageRefusal if
 * it takes none, or takes too long.
 */
export async function checkDatabase(pool: Pool, control: Control, windows: Windows): Promise<number> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new StorageDown(LATE, 'timeout')), MAX_CHECK_MS)
  try {
    return await Promise.race([tryDatabase(pool, control, windows), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function tryDatabase(pool: Pool, control: Control, windows: Windows): Promise<number> {
  const { standby, milliseconds } = await createReadRun(
    pool,
    undefined,
    PATIENCE_MS,
  )(async ({ db }) => {
    const asked = performance.now()
    const [row] = await db.execute<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby`)
    return { standby: row?.standby, milliseconds: performance.now() - asked }
  })
  if (standby) throw new StorageRefusal(STANDBY, 'standby')
  await control.write(async () => {})
  // Adds a row, as every call does, which a full disk refuses: a transaction that changes nothing passes there.
  await windows.take([READINESS], 0)
  return milliseconds
}
