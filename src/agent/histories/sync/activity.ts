import { isObject } from '../../../jsonrpc.ts'
import type { SyncDatabase } from './database.ts'
import type { HaltReason, SyncState } from './halt.ts'

/** The last error, and the number of consecutive attempts that failed with it. */
type LastError = { code: HaltReason; message: string; at: string; count: number; retryable: boolean }

/** The current or last activity of a target's uploader; times in ISO 8601. Its lease tells whether it still runs. */
export type Activity = {
  state: SyncState
  reason: HaltReason | null
  last_success_at: string | null
  last_attempt_at: string | null
  next_attempt_at: string | null
  /** The history being uploaded. */
  current: { assistant: string; sent_bytes: number; total_bytes: number } | null
  last_error: LastError | null
  /** Number of completed passes over all histories. */
  passes: number
}

const NOTHING: Activity = {
  state: 'idle',
  reason: null,
  last_success_at: null,
  last_attempt_at: null,
  next_attempt_at: null,
  current: null,
  last_error: null,
  passes: 0,
}

export function readActivity(database: SyncDatabase, target: string): Activity {
  const row = database
    .query<{ activity: string }, [string]>('SELECT activity FROM activities WHERE target = ?')
    .get(target)
  const value: unknown = row === null ? undefined : JSON.parse(row.activity)
  return isObject(value) ? { ...NOTHING, ...value } : NOTHING
}

/** Updates some fields. Returns all. */
export function noteActivity(database: SyncDatabase, target: string, change: Partial<Activity>): Activity {
  const activity = { ...readActivity(database, target), ...change }
  database
    .query('INSERT OR REPLACE INTO activities (target, activity) VALUES (?, ?)')
    .run(target, JSON.stringify(activity))
  return activity
}
