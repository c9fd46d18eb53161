import { SQLiteError } from 'bun:sqlite'
import { Refusal } from '../../errors.ts'

/** How long an act waits for another process that holds the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000
const MAX_PAUSE_MS = 20

/** Whether another process holds the file just now. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code?.startsWith('SQLITE_BUSY') ?? false)
}

/** Tries until no other process holds the file, without holding up this one. Throws a Refusal after 10 seconds. */
export async function whenFree<T>(attempt: () => T): Promise<T> {
  for (let waited = 0, pause = 1; ; waited += pause, pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waited >= BUSY_TIMEOUT_MS) throw new Refusal('the data is held by another process; try again')
      await Bun.sleep(pause)
    }
  }
}
