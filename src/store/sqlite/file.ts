import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DamagedFile, StorageRefusal } from '../../errors.ts'
import { Connection } from './connection.ts'
import { giveToOwner, makeFolder } from './data-folder.ts'
import { isReadOnlyError, isReadOnlyFolder, toOpenError, toReadError, toWriteError, whenFree } from './errors.ts'
import { requireLastPage } from './last-page.ts'
import { createMerging, type Merging } from './merging.ts'
import { isMigrated, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
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
const READ_BUSY_TIMEOUT_MS = 1_000

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

const ALONE: Watch = {
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

/** What is said of a file that is not there or has lost its contents, after its path. */
export const MISSING = 'is missing or empty; restore it from a backup'

/**
 * Opens a file and migrates it. Creates it, readable only by its owner, if `mayMake`; otherwise a missing file, or one
 * without tables, counts as damaged. `watch` is shared by all files of one store. Throws a DataError that names the
 * file and the fault.
 */
export async function openFile(
  path: string,
  kind: Kind,
  mayMake: boolean,
  now: number,
  watch: Watch = ALONE,
): Promise<SqliteFile> {
  const isEmpty = !existsSync(path) || statSync(path).size === 0
  if (isEmpty && !mayMake) throw new DamagedFile(`${path} ${MISSING}`)
  if (isEmpty) makeFolder(dirname(path))
  const { connection, requireInPlace } = connect(path, { isEmpty, isOpenElsewhere: watch.isOpenElsewhere(path) })
  try {
    await prepareFile(connection, { path, kind, mayMake, now, requireInPlace })
    connection.run(`pragma cache_size = -${watch.pageCacheKib}`)
    const file = toSqliteFile(connection, openReader(path), { path, kind, watch })
    requireInPlace()
    return file
  } catch (error) {
    // Before the file is closed, which would hide a lack of descriptors.
    const failure = toOpenError(error, path)
    connection.close()
    throw failure
  }
}

/** Whether opening the file would migrate it. False for an unreadable file: opening it reports the reason. */
export function isOutdated(path: string, kind: Kind): boolean {
  try {
    using connection = new Connection(path)
    return !isMigrated(connection, migrations[kind])
  } catch {
    return false
  }
}

/**
 * SQLite gives the same mode to the files it creates beside this one. `requireInPlace` throws a DamagedFile once the
 * path no longer leads to the file of the connection.
 */
function connect(
  path: string,
  { isEmpty, isOpenElsewhere }: { isEmpty: boolean; isOpenElsewhere: boolean },
): { connection: Connection; requireInPlace: () => void } {
  try {
    if (!isEmpty && !isOpenElsewhere) requireLastPage(path)
    if (isEmpty) {
      closeSync(openSync(path, 'a', 0o600))
      giveToOwner(path)
    }
    const isInPlace = createPlaceTest([path])
    return { connection: new Connection(path), requireInPlace: () => requireInPlace(path, isInPlace) }
  } catch (error) {
    throw toOpenError(error, path)
  }
}

type Preparation = { path: string; kind: Kind; mayMake: boolean; now: number; requireInPlace: () => void }

async function prepareFile(
  connection: Connection,
  { path, kind, mayMake, now, requireInPlace }: Preparation,
): Promise<void> {
  connection.run('pragma busy_timeout = 0')
  await whenFree(() => {
    // The first read opens the WAL. Of a file that a restore has replaced meanwhile, that would be the WAL of the new
    // file: neither opened after a long wait, nor written to.
    requireInPlace()
    const found = requireOurs(connection, path, kind)
    requireInPlace()
    // A file without tables has lost its WAL. It is left as it is, in case the WAL is found.
    if (found === 'new' && !mayMake) throw new DamagedFile(`${path} ${MISSING}`)
    // What is deleted is overwritten. Measured on saves, it takes neither time nor room.
    connection.run('pragma secure_delete = on')
    // Free pages can be given back in steps; can be set only in a file without tables.
    if (kind === 'history') connection.run('pragma auto_vacuum = incremental')
    connection.run('pragma journal_mode = wal')
    connection.run('pragma synchronous = full')
    migrate(connection, migrations[kind], APPLICATION_ID[kind], now)
    if (kind !== 'control') configureIndex(connection)
  })
}

/**
 * Accepts a new file, without tables, or one of ours. A single statement is a single read transaction: another process
 * may migrate a new file at the same time.
 */
export function requireOurs(connection: Connection, path: string, kind: Kind): 'new' | 'ours' {
  const found = connection
    .query<{ id: number; tables: number }, []>(
      'select (select application_id from pragma_application_id) as id, (select count(*) from sqlite_schema) as tables',
    )
    .get()
  const isNew = found?.id === 0 && found.tables === 0
  if (!isNew && found?.id !== APPLICATION_ID[kind]) throw new DamagedFile(`${path} is not a ${kind} file of memsvc`)
  return isNew ? 'new' : 'ours'
}

const INDEX_SETTINGS: [name: string, value: number][] = [
  ['automerge', 0],
  ['deletemerge', 50],
]

/**
 * FTS5 then merges segments automatically only if there are too many (`crisismerge`), and a single segment only once
 * half of its records are deleted, rather than a tenth: forgetting 4 000 long records in sequence takes a tenth of the
 * time, and a search among as many deleted ones 1.3 times as long. Stored in the file.
 */
function configureIndex(connection: Connection): void {
  const stored = connection.query<unknown[], []>('select k, v from word_index_config').values()
  for (const [name, value] of INDEX_SETTINGS) {
    if (!stored.some(([k, v]) => k === name && v === value))
      connection.run('insert into word_index (word_index, rank) values (?, ?)', [name, value])
  }
}

function openReader(path: string): Connection {
  const reader = new Connection(path, 'readonly')
  try {
    reader.run(`pragma busy_timeout = ${READ_BUSY_TIMEOUT_MS}`)
    // SQLite opens the WAL of a connection at its first read. Done here, so that no later read fails for lack of a
    // descriptor; reads only the header, since parsing the schema takes a fifth of the time of opening a file.
    reader.run('pragma application_id')
    return reader
  } catch (error) {
    const failure = toOpenError(error, path)
    reader.close()
    throw failure
  }
}

/**
 * How long a file is taken to be in place without another look, in milliseconds: a look takes some microseconds, and a
 * search uses a file dozens of times.
 */
const PLACE_PERIOD_MS = 10

/**
 * Returns a function that tells whether the paths still lead to the files that they lead to now. Once they do not, it
 * is always false.
 */
function createPlaceTest(paths: string[]): (when?: 'now' | 'lately') => boolean {
  const placed = paths.map(identify)
  let [isInPlace, lookedAt] = [true, performance.now()]
  return (when = 'lately') => {
    const time = performance.now()
    if (!isInPlace || (when === 'lately' && time - lookedAt < PLACE_PERIOD_MS)) return isInPlace
    lookedAt = time
    isInPlace = paths.every((path, at) => placed[at] === undefined || identify(path) === placed[at])
    return isInPlace
  }
}

/** What was committed to a file that is no longer there is lost, and must not be acknowledged. */
function requireInPlace(path: string, isInPlace: ReturnType<typeof createPlaceTest>): void {
  if (!isInPlace('now')) throw new DamagedFile(`${path} was removed or replaced while it was open`)
}

/** The same for the same file, whatever it contains; undefined if there is none. */
function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  } catch {
    return undefined
  }
}

type Opened = { path: string; kind: Kind; watch: Watch }

function toSqliteFile(connection: Connection, reader: Connection, { path, kind, watch }: Opened): SqliteFile {
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
