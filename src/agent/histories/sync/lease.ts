import type { SyncDatabase } from './database.ts'

/** How long a holder that does not renew its lease keeps it. */
export const LEASE_MS = 30_000

/** Who uploads for a target: one process at a time. `holder` tells leases of one process apart. */
export type Holder = { holder: string; pid: number }

type Row = Holder & { expires_at: number }

/**
 * Takes or renews the lease of a target. Returns whether it is held. That of a process that has ended is free at once, that of one that hangs after LEASE_MS. Nothing
 * depends on it but work that is done twice: the service takes each segment once.
 */
export function holdLease(database: SyncDatabase, target: string, { holder, pid }: Holder, now: number): boolean {
  return database
    .transaction(() => {
      const row = database.query<Row, [string]>('SELECT holder, pid, expires_at FROM leases WHERE target = ?').get(target)
      if (row !== null && row.holder !== holder && isAlive(row, now)) return false
      writeLease(database, target, { holder, pid }, now)
      return true
    })
    .immediate()
}

/** Takes the lease of a target whoever holds it: that one ends at its next step. Returns what gives it back. */
export function takeLease(database: SyncDatabase, target: string, { holder, pid }: Holder, now: number): () => void {
  writeLease(database, target, { holder, pid }, now)
  return () => releaseLease(database, target, holder)
}

function writeLease(database: SyncDatabase, target: string, { holder, pid }: Holder, now: number): void {
  database
    .query('INSERT OR REPLACE INTO leases (target, holder, pid, expires_at) VALUES (?, ?, ?, ?)')
    .run(target, holder, pid, now + LEASE_MS)
}

/** Gives the lease back, where it is still this holder's. */
export function releaseLease(database: SyncDatabase, target: string, holder: string): void {
  database.query('DELETE FROM leases WHERE target = ? AND holder = ?').run(target, holder)
}

/** Who uploads for a target at present. */
export function findHolder(database: SyncDatabase, target: string, now: number): Holder | undefined {
  const row = database.query<Row, [string]>('SELECT holder, pid, expires_at FROM leases WHERE target = ?').get(target)
  return row !== null && isAlive(row, now) ? row : undefined
}

/** A lease that lasts longer than any does was made under another clock. */
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
