import { Database } from 'bun:sqlite'
import { lstat } from 'node:fs/promises'
import { isOwnFile } from '../readers/history-file.ts'

/** Separates the path of a database from the id of a session in it. */
const SEPARATOR = '#'

/** The file name that represents a session in a database. */
export function toSessionFile(database: string, sessionId: string): string {
  return `${database}${SEPARATOR}${sessionId}`
}

export function splitSessionFile(file: string): { database: string; sessionId: string } {
  const at = file.lastIndexOf(SEPARATOR)
  return { database: file.slice(0, at), sessionId: file.slice(at + 1) }
}

/**
 * Runs `run` with a database of opencode, opened read-only, since opencode may be using it, and closes it.
 *
 * @throws Error with the code `ENOENT` if there is none, and `EIO` with SQLite's message if it cannot be read.
 */
export async function* withDatabase<Item>(
  file: string,
  run: (database: Database) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  const stats = await lstat(file)
  if (!isOwnFile(stats)) throw Object.assign(new Error('not a regular file of this person'), { code: 'EINVAL' })
  let database: Database | undefined
  try {
    database = new Database(file, { readonly: true })
    yield* run(database)
  } catch (error) {
    throw Object.assign(new Error(`the database of opencode cannot be read: ${(error as Error).message}`), {
      code: 'EIO',
    })
  } finally {
    database?.close()
  }
}
