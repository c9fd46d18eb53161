import { sql } from 'drizzle-orm'
import { isLockTimeout } from './errors.ts'
import type { Pool } from './pool.ts'

/** How long after a commit tables are looked at; other commits meanwhile are covered by the same look. */
const DELAY_MS = 500
/**
 * Sizes in pages of the database, usually of 8 KiB. Of fewer pages any plan is quick; the plans of larger tables use
 * indexes, whatever they grow to.
 */
const MIN_PAGES = 8
const MAX_PAGES = 16_384
/** The size of a table is read under a lock, which a migration or a repair may keep from others for long. */
const LOCK_TIMEOUT_MS = 50

/**
 * Returns the function to call after each commit. Soon after it, tables that have more than twice the pages that
 * PostgreSQL knows of are analyzed, so that all connections of all instances plan their statements anew. Otherwise a
 * prepared statement that was planned while a table was nearly empty reads the whole of it each time, until autovacuum
 * looks at it: a minute, in which an import may have saved 100 000 records.
 */
export function createGrowthWatch(pool: Pool): () => void {
  let isDue = false

  async function look(): Promise<void> {
    // An estimate that is missed costs time, not correctness: where a lock was not had there is another look, after
    // other errors only with the next commit.
    const mayBeLeft = await analyzeGrown(pool).catch(isLockTimeout)
    isDue = false
    // A table is skipped while another transaction analyzes it, perhaps as it was before it grew.
    if (mayBeLeft) lookSoon()
  }

  function lookSoon(): void {
    if (isDue) return
    isDue = true
    setTimeout(() => pool.track(look()), DELAY_MS).unref()
  }

  return lookSoon
}

/** Returns whether there were grown tables. The function runs as the owner of the tables, whatever role calls it. */
async function analyzeGrown(pool: Pool): Promise<boolean> {
  return await pool.use(undefined, async ({ db, run }) => {
    await run(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    try {
      const [found] = await db.execute<{ grew: boolean }>(
        sql`select analyze_grown(${MIN_PAGES}::integer, ${MAX_PAGES}::integer) as grew`,
      )
      await run('commit')
      return found?.grew ?? false
    } catch (error) {
      await run('rollback').catch(() => {})
      throw error
    }
  })
}
