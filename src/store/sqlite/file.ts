import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DataError } from '../../errors.ts'
import { whenFree } from './busy.ts'
import { makeFolder } from './make-folder.ts'
import { createMerging, type Merging } from './merging.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { createVersion } from './version.ts'
import { createWriter, type Later, type Writer } from './writer.ts'

export type Kind = keyof typeof migrations

/** Written into each file's header, so that no other database is taken for one of ours. */
const APPLICATION_ID: Record<Kind, number> = { control: 0x6d656d63, project: 0x6d656d70 }

/** One open file: a connection that sees what is committed, one that writes, and the queue before it. */
export type SqliteFile = {
  reader: Database
  connection: Database
  writer: Writer
  later: Later
  /** Of a project's file. */
  merging: Merging | undefined
  /** A new number whenever anybody, this process or another, has committed to the file. */
  version: () => number
  /** Writes what stands in the header already: fails as any write would, and changes nothing. Only inside a write. */
  rewriteHeader: () => void
  /** Gives back the memory of pages that were read. Anything may go on; the pages are read again. */
  shrink: () => void
  close: () => void
}

/**
 * Opens a file and brings it up to date. Makes it, for its owner only, when `mayMake` says so; otherwise an absent or empty file is damage.
 * Throws a DataError that names the file and what is wrong with it.
 */
export async function openFile(path: string, kind: Kind, mayMake: boolean, now: number): Promise<SqliteFile> {
  const empty = !existsSync(path) || statSync(path).size === 0
  if (empty && !mayMake) throw new DataError(`${path} is missing or empty; restore it from a backup`)
  makeFolder(dirname(path))
  const connection = connect(path, empty)
  try {
    await prepareFile(connection, path, kind, now)
    return toOpened(connection, new Database(path, { readwrite: true, strict: true }), kind)
  } catch (error) {
    connection.close()
    throw toOpenError(error, path)
  }
}

/** The engine gives the files it puts beside this one the same mode. */
function connect(path: string, make: boolean): Database {
  try {
    if (make) closeSync(openSync(path, 'a', 0o600))
    return new Database(path, { readwrite: true, strict: true })
  } catch (error) {
    throw toOpenError(error, path)
  }
}

async function prepareFile(connection: Database, path: string, kind: Kind, now: number): Promise<void> {
  connection.run('pragma busy_timeout = 0')
  await whenFree(() => {
    requireOurs(connection, path, kind)
    connection.run('pragma journal_mode = wal')
    connection.run('pragma synchronous = full')
    migrate(connection, migrations[kind], APPLICATION_ID[kind], now)
    if (kind === 'project') leaveMergingToUs(connection)
  })
}

/** Noted in the file, once: FTS5 merges nothing by itself but pieces of which there are too many. */
function leaveMergingToUs(connection: Database): void {
  const noted = connection.query<{ v: number }, []>("select v from word_index_config where k = 'automerge'").get()
  if (noted?.v !== 0) connection.run("insert into word_index (word_index, rank) values ('automerge', 0)")
}

/** Passes a new file and one of ours. */
function requireOurs(connection: Database, path: string, kind: Kind): void {
  const found = connection.query<{ application_id: number }, []>('pragma application_id').get()?.application_id ?? 0
  if (found === APPLICATION_ID[kind]) return
  const foreign = connection.query('select 1 from sqlite_schema limit 1').get() !== null
  if (found !== 0 || foreign) throw new DataError(`${path} is not a ${kind} file of memsvc`)
}

function toOpened(connection: Database, reader: Database, kind: Kind): SqliteFile {
  reader.run('pragma busy_timeout = 1000')
  reader.run('pragma query_only = 1')
  const version = createVersion(reader)
  const later: Later = []
  const merging = kind === 'project' ? createMerging(connection) : undefined
  return {
    reader,
    connection,
    writer: createWriter(connection, later, version.forget, merging),
    later,
    merging,
    version: version.read,
    rewriteHeader: () => void connection.run(`pragma application_id = ${APPLICATION_ID[kind]}`),
    shrink: () => {
      reader.run('pragma shrink_memory')
      connection.run('pragma shrink_memory')
    },
    close: () => {
      reader.close()
      connection.close()
    },
  }
}

/** A file that is no database, or a broken one, said in our words. */
function toOpenError(error: unknown, path: string): unknown {
  const { code = '' } = error as { code?: string }
  const damaged = code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
  if (damaged) return new DataError(`${path} is damaged; restore it from a backup`)
  return /^(SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EPERM|EROFS|EISDIR)/.test(code)
    ? new DataError(`${path} cannot be written; memsvc must own it and its folder`)
    : error
}
