import { SQLiteError } from 'bun:sqlite'
import { Refusal } from '../../errors.ts'

/** The error a caller may read, where the disk took nothing; otherwise the error as it is. */
export function toWriteError(error: unknown): unknown {
  const code = error instanceof SQLiteError ? (error.code ?? '') : ''
  const full = code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR_WRITE') || code.startsWith('SQLITE_IOERR_FSYNC')
  return full ? new Refusal('the disk of the service is full; nothing was saved') : error
}
