import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DamagedFile } from '../../errors.ts'
import { Connection } from './connection.ts'
import { giveToOwner, makeFolder } from './data-folder.ts'
import { toOpenError, whenFree } from './errors.ts'
import {
  ALONE,
  APPLICATION_ID,
  type Kind,
  READ_BUSY_TIMEOUT_MS,
  type SqliteFile,
  toSqliteFile,
  type Watch,
} from './file.ts'
import { createPlaceTest, requireInPlace } from './file-place.ts'
import { requireLastPage } from './last-page.ts'
import { isMigrated, migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

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
