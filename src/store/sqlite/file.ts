import { dirname } from 'node:path'
import { StorageRefusal } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { isReadOnlyError, isReadOnlyFolder, toReadError, toWriteError } from './errors.ts'
import { createPlaceTest, requireInPlace } from './file-place.ts'
import { createMerging, type Merging } from './merging.ts'
import type { migrations } from './migrations.ts'
import { createFileVersion, createVersionNumbers } from './version.ts'
import { createWriter, type Later, type Writer } from './writer.ts'

export type Kind = keyof typeof migrations

/** In the header of each file, so that other databases are not mistaken for ours. */
export const APPLICATION_ID: Record<Kind, number> = { control: 0x6d656d63, project: 0x6d656d70, history: 0x6d656d68 }

/**
 * How long a transaction collects acts. A process that serves requests is blocked meanwhile; any other lets other
 * processes write in between, and on a busy disk imports in half the time that the shorter transactions take: each ends
 * with an `fsync`, and pages changed by several acts are written once.
 */
export const TRANSACTION_MS = { serving: 4, alone: 25 }

/**
 * The page cache of the writing connection. A process that serves requests has many files open, and uses SQLite's
 * default. An import changes pages throughout the indexes: with 30 000 records, the larger cache saves it a third of
 * its system time.
 */
export const PAGE_CACHE_KIB = { serving: 2_000, alone: 16_384 }

/** How long a read waits for another process that recovers the file after a crash, in milliseconds. */
export const READ_BUSY_TIMEOUT_MS = 1_000

/**
 * Shared by the files of one store: settings, the numbering of versions, and callbacks for commits and for writes
 * refused by the storage.
 */
export type Watch = {
  /** Whether something else in this process, such as another thread, may have a file open. */
  isOpenElsewhere: (path: string) => boolean
  nextNumber: () => number
  maxTransactionMs: number
  pageCacheKib: number
  committed: (acts: number, milliseconds: number) => void
  refused: (refusal: StorageRefusal) => void
}

export const ALONE: Watch = {
  isOpenElsewhere: () => false,
  nextNumber: createVersionNumbers(),
  maxTransactionMs: TRANSACTION_MS.serving,
  pageCacheKib: PAGE_CACHE_KIB.serving,
  committed: () => {},
  refused: () => {},
}

/** An open file: a reading connection, which sees what is committed, a writing one, and the queue of writes. */
export type SqliteFile = {
  path: string
  reader: Connection
  connection: Connection
  writer: Writer
  later: Later
  /** Not for the control file, which has no index of words. */
  merging: Merging | undefined
  /** See `createFileVersion`. */
  version: () => number
  /** Converts what a read of it has thrown. */
  toReadFailure: (error: unknown) => unknown
  /** Rewrites the header unchanged: fails as any write would. Only inside a write. */
  rewriteHeader: () => void
  /**
   * Whether it has to be closed and opened anew: it was removed or replaced, or SQLite opened it for reading alone, as
   * on read-only storage, and so refused a write that the storage would take now.
   */
  mustReopen: () => boolean
  /** Frees the page caches of both connections. */
  shrink: () => void
  close: () => void
  /** Closes it without a checkpoint: SQLite does that when the last connection is closed, unless it is read-only. */
  closeWithLog: () => void
}

type Opened = { path: string; kind: Kind; watch: Watch }

export function toSqliteFile(connection: Connection, reader: Connection, { path, kind, watch }: Opened): SqliteFile {
  const version = createFileVersion(reader, watch.nextNumber)
  const later: Later = []
  const merging = kind !== 'control' ? createMerging(connection, () => performance.now()) : undefined
  const committed = (acts: number, milliseconds: number) => {
    version.expire()
    watch.committed(acts, milliseconds)
  }
  const isInPlace = createPlaceTest([path, `${path}-wal`])
  let mustReopen = false
  const report = (failure: unknown) => {
    if (failure instanceof StorageRefusal) watch.refused(failure)
    return failure
  }
  const toFailure = (error: unknown) => {
    mustReopen ||= isReadOnlyError(error) && !isReadOnlyFolder(dirname(path))
    return report(toWriteError(error, path))
  }
  return {
    path,
    reader,
    connection,
    writer: createWriter(
      connection,
      later,
      {
        maxTransactionMs: watch.maxTransactionMs,
        committed,
        requireKept: () => requireInPlace(path, isInPlace),
        toFailure,
      },
      merging,
    ),
    later,
    merging,
    version: version.read,
    // What a write was refused with has been reported.
    toReadFailure: (error) => (error instanceof StorageRefusal ? error : report(toReadError(error, path))),
    rewriteHeader: () => void connection.run(`pragma application_id = ${APPLICATION_ID[kind]}`),
    mustReopen: () => mustReopen || !isInPlace(),
    shrink: () => {
      reader.run('pragma shrink_memory')
      connection.run('pragma shrink_memory')
    },
    close: () => {
      reader.close()
      connection.close()
    },
    closeWithLog: () => {
      connection.close()
      reader.close()
    },
  }
}
