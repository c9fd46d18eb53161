import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DataError } from '../../errors.ts'
import type { Connection } from './connection.ts'

/**
 * Reads the last page of a file, which is the first to be missing after storage lost what it had acknowledged: SQLite itself compares the size of the file with its header
 * only. A page of zeros is damage where no page is free. What is in the log is not in the file yet, so that with a log nothing is said.
 *
 * @throws DataError if the page cannot be read, or is lost.
 */
export function requireLastPage(connection: Connection, path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const { pages, size, free } = readSizes(connection)
  const page = readPage(path, pages - 1, size)
  if (page === undefined || (free === 0 && page.every((byte) => byte === 0)))
    throw new DataError(`${path} is damaged: its end is missing; restore it from a backup`)
}

type Sizes = { pages: number; size: number; free: number }

function readSizes(connection: Connection): Sizes {
  const sql =
    'select page_count as pages, page_size as size, freelist_count as free from pragma_page_count, pragma_page_size, pragma_freelist_count'
  return connection.query<Sizes, []>(sql).get() ?? { pages: 1, size: 4096, free: 0 }
}

function readPage(path: string, at: number, size: number): Uint8Array | undefined {
  const page = new Uint8Array(size)
  const file = openSync(path, 'r')
  try {
    return readSync(file, page, 0, size, at * size) === size ? page : undefined
  } finally {
    closeSync(file)
  }
}
