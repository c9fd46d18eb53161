import { chmodSync } from 'node:fs'
import type { Fault } from '../../check.ts'
import { type CheckedFile, checkFile } from '../check/check-file.ts'
import { Connection } from '../connection.ts'
import { type Kind, requireOurs } from '../file.ts'

/** How long a copy waits for another process that recovers or migrates the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Copies a consistent state of a file, which others may read and write meanwhile, to a new file without a WAL and without deleted data, and checks the copy.
 * Returns faults that SQLite finds in the copy; throws if it cannot be copied at all.
 */
export function copyDatabase(from: string, to: string, kind: Kind, projectId?: string): Promise<CheckedFile> {
  const connection = new Connection(from)
  try {
    connection.run(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
    requireOurs(connection, from, kind)
    connection.run('vacuum into ?', [to])
  } finally {
    connection.close()
  }
  chmodSync(to, 0o600)
  return checkFile(to, kind, { ...(projectId !== undefined && { projectId }) })
}

export const toReason = (faults: Fault[]) => faults.map(({ text }) => text).join(', ')
