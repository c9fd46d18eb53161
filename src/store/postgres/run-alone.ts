import { sql } from 'drizzle-orm'
import type { Store } from '../store.ts'
import { openConnection } from './connection.ts'

/**
 * Runs work behind an advisory lock, which a connection of its own holds: the database releases it when the connection ends, however it does. What the lock is for then
 * learns from `isAlone` that another instance may begin.
 */
export async function runAlone(url: string, work: string, act: Parameters<Store['runAlone']>[1]): Promise<boolean> {
  const connection = await openConnection(url)
  try {
    const [lock] = await connection.db.execute<{ taken: boolean }>(sql`select pg_try_advisory_lock(hashtext(${`memsvc ${work}`})) as taken`)
    if (!lock?.taken) return false
    await act(() => !connection.isClosed())
    return true
  } finally {
    await connection.close()
  }
}
