import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DamagedFile } from '../../errors.ts'

/** What the header of a database says of its size, by SQLite's "Database File Format", §1.3. */
const HEADER = { bytes: 100, magic: 'SQLite format 3\0', pageSizeAt: 16, pagesAt: 28, freePagesAt: 36 }
/** The page size 65 536 does not fit into its two bytes. */
const LARGEST_PAGE = { stored: 1, bytes: 65_536 }

/**
 * Checks the last page of a file, which is the first to be missing after storage lost acknowledged writes; SQLite
 * itself only compares the size of the file with its header. A page of zeros is damage unless there are free pages.
 * Does nothing if there is a WAL, whose contents are not in the file yet.
 *
 * @throws DamagedFile if the page cannot be read, or is lost.
 */
export function requireLastPage(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const file = openSync(path, 'r')
  try {
    if (!hasLastPage(file)) throw new DamagedFile(`${path} is damaged: its end is missing; restore it from a backup`)
  } finally {
    closeSync(file)
  }
}

function hasLastPage(file: number): boolean {
  const header = readHeader(file)
  // SQLite itself says what is wrong with such a header.
  if (header === undefined) return true
  const page = read(file, header.bytes - header.pageSize, header.pageSize)
  return page !== undefined && (header.hasFreePages || page.some((byte) => byte !== 0))
}

type Header = { pageSize: number; bytes: number; hasFreePages: boolean }

/** What the header of a file says; undefined if it is none that SQLite would read. */
function readHeader(file: number): Header | undefined {
  const header = read(file, 0, HEADER.bytes)
  if (header?.toString('latin1', 0, HEADER.magic.length) !== HEADER.magic) return undefined
  const stored = header.readUInt16BE(HEADER.pageSizeAt)
  const pageSize = stored === LARGEST_PAGE.stored ? LARGEST_PAGE.bytes : stored
  const bytes = header.readUInt32BE(HEADER.pagesAt) * pageSize
  return bytes === 0 ? undefined : { pageSize, bytes, hasFreePages: header.readUInt32BE(HEADER.freePagesAt) > 0 }
}

/** The length that a file should have, by its header, if that is more than it has. */
export function findMissingEnd(path: string): number | undefined {
  const file = openSync(path, 'r')
  try {
    const bytes = readHeader(file)?.bytes ?? 0
    return bytes > statSync(path).size ? bytes : undefined
  } finally {
    closeSync(file)
  }
}

/** Undefined where the file ends before. */
function read(file: number, at: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size)
  return readSync(file, bytes, 0, size, at) === size ? bytes : undefined
}
