import { sql } from 'drizzle-orm'
import type { Store } from '../store.ts'
import type { OpenConnection } from './connection.ts'
import { useConnection } from './use-connection.ts'

type Act = Parameters<Store['runAlone']>[1]

/**
 * Runs work under an advisory lock held by a connection of its own, which the database releases when the connection
 * ends in any way; `isAlone` then tells the work that another instance may begin.
 */
export function runAlone(url: string, work: string, act: Act): Promise<boolean> {
  return useConnection(url, (connection) => runLocked(connection, `memsvc ${work}`, act))
}

async function runLocked(connection: OpenConnection, name: string, act: Act): Promise<boolean> {
  const [lock] = await connection.db.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_lock(hashtext(${name})) as taken`,
  )
  if (!lock?.taken) return false
  try {
    await act(() => !connection.isClosed())
    return true
  } finally {
    // The database learns of the end of a connection only some time after it: whoever asks next would be told that the
    // work is being done.
    await connection.db.execute(sql`select pg_advisory_unlock(hashtext(${name}))`).catch(() => {})
  }
}
