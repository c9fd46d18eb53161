import { isObject } from '../../../jsonrpc.ts'
import type { SyncDatabase } from './database.ts'
import type { HaltReason, SyncState } from './halt.ts'

/** What is wrong, and since how many attempts. */
export type LastError = { code: HaltReason; message: string; at: string; count: number; retryable: boolean }

/** What the uploader of a target does, or did last; times in ISO 8601. Whether it is still there, its lease says. */
export type Activity = {
  state: SyncState
  reason: HaltReason | null
  last_success_at: string | null
  last_attempt_at: string | null
  next_attempt_at: string | null
  /** The history that is on its way. */
  current: { assistant: string; sent_bytes: number; total_bytes: number } | null
  last_error: LastError | null
  /** Passes over all histories that were finished. */
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
  const row = database.query<{ activity: string }, [string]>('SELECT activity FROM activities WHERE target = ?').get(target)
  const value: unknown = row === null ? undefined : JSON.parse(row.activity)
  return isObject(value) ? { ...NOTHING, ...value } : NOTHING
}

/** Changes some of it. Returns all. */
export function noteActivity(database: SyncDatabase, target: string, change: Partial<Activity>): Activity {
  const activity = { ...readActivity(database, target), ...change }
  database.query('INSERT OR REPLACE INTO activities (target, activity) VALUES (?, ?)').run(target, JSON.stringify(activity))
  return activity
}
