import { toErrorCode } from '../../../errors.ts'
import type { SyncDatabase } from './database.ts'

/**
 * How long a lease is valid without renewal: with a suspended assistant its agent is suspended too, and another one
 * goes on.
 */
export const LEASE_MS = 30_000

type Row = { pid: number; expiresAt: number }

/**
 * Takes or renews the lease of a target for a process, so that only one of several agents uploads. Returns whether it
 * is held. The lease of a process that has ended is free at once, that of one that hangs after LEASE_MS. Two holders
 * would only duplicate work: the service accepts each segment once.
 */
export function holdLease(database: SyncDatabase, target: string, pid: number, now: () => number): boolean {
  return database
    .transaction(() => {
      const holder = findHolder(database, target, now)
      if (holder !== undefined && holder !== pid) return false
      takeLease(database, target, pid, now())
      return true
    })
    .immediate()
}

/** Takes the lease of a target from any process, which ends its upload at the next step, or renews it. */
export function takeLease(database: SyncDatabase, target: string, pid: number, now: number): void {
  database
    .query('INSERT OR REPLACE INTO leases (target, pid, expires_at) VALUES (?, ?, ?)')
    .run(target, pid, now + LEASE_MS)
}

/** Releases the lease if this process still holds it. */
export function releaseLease(database: SyncDatabase, target: string, pid: number): void {
  database.query('DELETE FROM leases WHERE target = ? AND pid = ?').run(target, pid)
}

/**
 * The process that holds the lease of a target. A lease that expires later than any could was written under another
 * clock, and is void. `now` is called after the lease was read: one that is renewed in between would otherwise
 * seem to expire too late.
 */
export function findHolder(database: SyncDatabase, target: string, now: () => number): number | undefined {
  const row = database
    .query<Row, [string]>('SELECT pid, expires_at AS expiresAt FROM leases WHERE target = ?')
    .get(target)
  if (row === null) return undefined
  const left = row.expiresAt - now()
  return left > 0 && left <= LEASE_MS && isRunning(row.pid) ? row.pid : undefined
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return toErrorCode(error) === 'EPERM'
  }
}
