import type { SyncDatabase } from './database.ts'

/** How long a lease is valid without renewal. */
export const LEASE_MS = 30_000

/** The process that uploads for a target; at most one does. `holder` tells leases of one process apart. */
export type Holder = { holder: string; pid: number }

type Row = Holder & { expires_at: number }

/**
 * Takes or renews the lease of a target. Returns whether it is held. The lease of a process that has ended is free at once, that of a process that hangs
 * after LEASE_MS. Two holders would only duplicate work: the service accepts each segment once.
 */
export function holdLease(database: SyncDatabase, target: string, { holder, pid }: Holder, now: number): boolean {
  return database
    .transaction(() => {
      const row = database.query<Row, [string]>('SELECT holder, pid, expires_at FROM leases WHERE target = ?').get(target)
      if (row !== null && row.holder !== holder && isAlive(row, now)) return false
      takeLease(database, target, { holder, pid }, now)
      return true
    })
    .immediate()
}

/** Takes the lease of a target from any holder, who ends at its next step, or renews it. */
export function takeLease(database: SyncDatabase, target: string, { holder, pid }: Holder, now: number): void {
  database
    .query('INSERT OR REPLACE INTO leases (target, holder, pid, expires_at) VALUES (?, ?, ?, ?)')
    .run(target, holder, pid, now + LEASE_MS)
}

/** Releases the lease if it is still held by this holder. */
export function releaseLease(database: SyncDatabase, target: string, holder: string): void {
  database.query('DELETE FROM leases WHERE target = ? AND holder = ?').run(target, holder)
}

/** The current holder of a target's lease. */
export function findHolder(database: SyncDatabase, target: string, now: number): Holder | undefined {
  const row = database.query<Row, [string]>('SELECT holder, pid, expires_at FROM leases WHERE target = ?').get(target)
  return row !== null && isAlive(row, now) ? row : undefined
}

/** A lease that expires later than any could was written under another clock, and is void. */
function isAlive({ pid, expires_at: expiresAt }: Row, now: number): boolean {
  return expiresAt > now && expiresAt <= now + LEASE_MS && isRunning(pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return (error as { code?: string }).code === 'EPERM'
  }
}
