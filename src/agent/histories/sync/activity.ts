import { ServiceError, toErrorCode } from '../../../errors.ts'
import { isObject } from '../../../jsonrpc.ts'
import { isBusy, type SyncDatabase } from './database.ts'

/** The state of the uploads of a target. */
export type SyncState = 'disabled' | 'idle' | 'scanning' | 'uploading' | 'backing_off' | 'paused' | 'error'

/** The reason why nothing is uploaded. */
export type HaltReason =
  | 'not_enabled'
  | 'other_holder'
  | 'switched_off'
  | 'paused_by_user'
  | 'key_missing'
  | 'key_rejected'
  | 'offline'
  | 'rate_limited'
  | 'subscription_inactive'
  | 'read_only'
  | 'quota'
  | 'hosted_connection'
  | 'not_supported_by_service'
  | 'local_failure'

/** The upload cannot continue for now. The message contains no key and nothing of a history. */
export class Halt extends Error {
  override readonly name = 'Halt'
  constructor(
    /** `backing_off` ends by itself, `paused` when the user or the operator acts. */
    readonly state: 'backing_off' | 'paused' | 'error',
    readonly reason: HaltReason,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
  }
}

/** Another process uploads now, or the settings changed: this upload ends, and nothing is wrong. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

/** Converts any error to the reason that ends a pass. */
export function toHalt(error: unknown): Halt {
  if (error instanceof Halt) return error
  if (isBusy(error))
    return new Halt('backing_off', 'local_failure', 'Another process kept the state of the uploads for too long.')
  if (!(error instanceof ServiceError))
    return new Halt('error', 'local_failure', `This machine refused something (${toErrorCode(error)}).`)
  const { code, message, retryAfterSeconds } = error
  if (code === 'key_missing' || code === 'key_malformed' || code === 'endpoint_invalid')
    return new Halt('paused', 'key_missing', message)
  if (code === 'key_rejected') return new Halt('paused', 'key_rejected', message)
  if (code === 'busy') return new Halt('backing_off', 'rate_limited', message, retryAfterSeconds)
  return new Halt('backing_off', 'offline', message)
}

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
