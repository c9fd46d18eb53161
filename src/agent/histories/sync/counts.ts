import type { SyncDatabase } from './database.ts'

/**
 * How much of a target's histories is at the service, as of the last time it was asked. The service still has something
 * of the `stored` sessions, also of those in folders that were removed. It has erased the `expired` ones after its
 * retention period. The `unreadable` files on this machine may or may not belong to the target. Redactions are those of
 * the last reading of each history from its beginning.
 */
export type SourceCounts = {
  sessions: Record<'known' | 'synced' | 'pending' | 'failed' | 'excluded' | 'unreadable' | 'expired' | 'stored', number>
  bytes: { uploaded: number; pending: number }
  records_uploaded: number
  secrets_redacted: number
}

/** States of a history; `stamp` is its current version, `lines` what the service has of it. */
const IS_DONE = 'done_stamp IS stamp'
const IS_STORED = 'lines > 0'
const IS_EXPIRED = `${IS_DONE} AND raw_end > 0 AND lines = 0`
const IS_SYNCED = `${IS_DONE} AND NOT (${IS_EXPIRED})`
const IS_FAILED = 'done_stamp IS NOT stamp AND failed_stamp IS stamp'
const IS_PENDING = 'done_stamp IS NOT stamp AND failed_stamp IS NOT stamp'
/** Histories of removed folders are not counted at all. */
const IS_INCLUDED = 'excluded IS NULL'
const IS_EXCLUDED = "excluded IN ('by choice', 'forgotten')"
const IS_UNREADABLE = "excluded = 'unreadable'"

type Counted = SourceCounts['sessions'] & { uploaded: number; waiting: number; records: number }

export function countSources(database: SyncDatabase, target: string): SourceCounts {
  const counted = database
    .query<Counted, [string]>(
      `SELECT count(*) FILTER (WHERE ${IS_INCLUDED} OR ${IS_EXCLUDED} OR ${IS_UNREADABLE}) AS known, count(*) FILTER (WHERE ${IS_INCLUDED} AND ${IS_SYNCED}) AS synced,
         count(*) FILTER (WHERE ${IS_INCLUDED} AND ${IS_PENDING}) AS pending, count(*) FILTER (WHERE ${IS_INCLUDED} AND ${IS_FAILED}) AS failed,
         count(*) FILTER (WHERE ${IS_EXCLUDED}) AS excluded, count(*) FILTER (WHERE ${IS_UNREADABLE}) AS unreadable,
         count(*) FILTER (WHERE ${IS_INCLUDED} AND ${IS_EXPIRED}) AS expired,
         count(*) FILTER (WHERE ${IS_STORED}) AS stored, coalesce(sum(raw_end) FILTER (WHERE ${IS_STORED}), 0) AS uploaded,
         coalesce(sum(CASE WHEN ${IS_PENDING} THEN max(0, bytes - raw_end) WHEN ${IS_DONE} THEN tail END) FILTER (WHERE ${IS_INCLUDED}), 0) AS waiting, coalesce(sum(lines), 0) AS records
       FROM sources WHERE target = ?`,
    )
    .get(target)
  if (counted === null) throw new Error('nothing was counted')
  const { uploaded, waiting, records, ...sessions } = counted
  return {
    sessions,
    bytes: { uploaded, pending: waiting },
    records_uploaded: records,
    secrets_redacted: sumRedactions(database, target),
  }
}

function sumRedactions(database: SyncDatabase, target: string): number {
  const sql =
    'SELECT coalesce(sum(count), 0) AS count FROM redactions JOIN sources ON sources.id = redactions.source WHERE target = ?'
  return database.query<{ count: number }, [string]>(sql).get(target)?.count ?? 0
}

/** Number of redactions by rule. */
export function countRedactions(database: SyncDatabase, target: string): Record<string, number> {
  const rows = database
    .query<{ rule: string; count: number }, [string]>(
      'SELECT rule, sum(count) AS count FROM redactions JOIN sources ON sources.id = redactions.source WHERE target = ? GROUP BY rule ORDER BY rule',
    )
    .all(target)
  return Object.fromEntries(rows.map(({ rule, count }) => [rule, count]))
}

type CountedAssistant = {
  name: string
  sessions: number
  pending: number
  last_activity_at: string | null
  last_error: string | null
}

/** The assistants with histories in the target's folders. */
export function countAssistants(database: SyncDatabase, target: string) {
  const rows = database
    .query<CountedAssistant, [string]>(
      `SELECT assistant AS name, count(*) AS sessions, count(*) FILTER (WHERE ${IS_PENDING}) AS pending, max(last_at) AS last_activity_at,
         max(failure) FILTER (WHERE ${IS_FAILED}) AS last_error
       FROM sources WHERE target = ? AND ${IS_INCLUDED} GROUP BY assistant ORDER BY assistant`,
    )
    .all(target)
  return rows.map(({ name, ...row }) => ({ name, enabled: true, found: true, ...row }))
}
