import { Database } from 'bun:sqlite'
import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, toErrorCode } from '../../../errors.ts'

/**
 * The state of the uploads: how far each history was sent, who uploads, and results. If it is lost, histories are sent
 * again, and the service recognizes duplicates.
 */
export type SyncDatabase = Database

const FILE = 'sync.db'
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700
/** Files of another version are recreated, since nothing in them is the only copy. */
const VERSION = 6

const SCHEMA = `
CREATE TABLE IF NOT EXISTS targets (
  identity TEXT PRIMARY KEY, endpoint TEXT NOT NULL, project_id TEXT NOT NULL, project TEXT NOT NULL, holder_id TEXT NOT NULL, holder TEXT NOT NULL,
  unagreed_at INTEGER
);
CREATE TABLE IF NOT EXISTS leases (target TEXT PRIMARY KEY, pid INTEGER NOT NULL, expires_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS activities (target TEXT PRIMARY KEY, activity TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sources (
  id INTEGER PRIMARY KEY,
  target TEXT NOT NULL, assistant TEXT NOT NULL, source_key TEXT NOT NULL, session_id TEXT NOT NULL, subagent_of TEXT,
  bytes INTEGER NOT NULL, last_at TEXT NOT NULL, excluded TEXT, failure TEXT,
  stamp TEXT NOT NULL, done_stamp TEXT, failed_stamp TEXT,
  source_id TEXT, raw_end INTEGER NOT NULL, chain TEXT NOT NULL, cursor TEXT, lines INTEGER NOT NULL,
  tail INTEGER NOT NULL DEFAULT 0,
  UNIQUE (target, assistant, source_key)
);
CREATE TABLE IF NOT EXISTS redactions (source INTEGER NOT NULL, rule TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (source, rule)) WITHOUT ROWID;
`

/**
 * Opens the database in the state folder, and creates it if necessary. A file that is damaged or of another version is
 * renamed to `sync.db.old`.
 *
 * @param waitMs how long a write waits for other processes, blocking this thread.
 */
export function openSyncDatabase(stateDir: string, waitMs: number): SyncDatabase {
  mkdirSync(stateDir, { recursive: true, mode: OWNER_ONLY_FOLDER })
  const path = join(stateDir, FILE)
  try {
    return open(path, waitMs)
  } catch (error) {
    if (!DAMAGES.has(toErrorCode(error)) && !(error instanceof Unusable)) throw error
    for (const end of ['', '-wal', '-shm']) putAside(path + end)
    return open(path, waitMs)
  }
}

/** Whether the error is that another process holds a lock. */
export const isBusy = (error: unknown) => toErrorCode(error).startsWith('SQLITE_BUSY')

/**
 * Runs `act` with the database, and closes it. @throws Refusal if the state folder cannot be used, for instance because
 * its disk is full.
 */
export async function withSyncDatabase<Value>(
  stateDir: string,
  waitMs: number,
  act: (database: SyncDatabase) => Promise<Value> | Value,
): Promise<Value> {
  let database: SyncDatabase | undefined
  try {
    database = openSyncDatabase(stateDir, waitMs)
    return await act(database)
  } catch (error) {
    const fault = findStateFault(stateDir, error)
    throw fault === undefined ? error : new Refusal(fault)
  } finally {
    database?.close()
  }
}

/** What is wrong with the state folder, for a person, if that is what the error is about. */
function findStateFault(stateDir: string, error: unknown): string | undefined {
  if (isBusy(error)) return 'another process kept the state of the uploads for too long'
  const isOfStorage = toErrorCode(error).startsWith('SQLITE') || isInside(stateDir, error)
  return isOfStorage
    ? `the state folder '${stateDir}' cannot be used (${toErrorCode(error)}); is its disk full or read-only?`
    : undefined
}

/** Whether a call of the operating system failed on a path in the folder. */
function isInside(stateDir: string, error: unknown): boolean {
  const { path } = error as { path?: unknown }
  return typeof path === 'string' && path.startsWith(stateDir)
}

/** The file was not written by this version of the program. */
class Unusable extends Error {}

const DAMAGES = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT'])
/** How long opening waits for other processes, which hold locks for milliseconds. */
const OPEN_BUSY_MS = 1_000

function open(path: string, waitMs: number): SyncDatabase {
  const database = new Database(path, { create: true, strict: true })
  try {
    chmodSync(path, OWNER_ONLY)
    database.run(`PRAGMA busy_timeout = ${OPEN_BUSY_MS}`)
    database.run('PRAGMA journal_mode = WAL')
    database.run('PRAGMA synchronous = NORMAL')
    prepare(database)
    database.run(`PRAGMA busy_timeout = ${waitMs}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function prepare(database: SyncDatabase): void {
  const version = database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  const { quick_check: check } = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get() ?? {}
  if (check !== 'ok') throw new Unusable()
  if (version === VERSION) return
  if (version !== 0) throw new Unusable()
  database
    .transaction(() => {
      database.run(SCHEMA)
      database.run(`PRAGMA user_version = ${VERSION}`)
    })
    .immediate()
}

function putAside(path: string): void {
  try {
    renameSync(path, `${path}.old`)
  } catch {
    // There is no such file.
  }
}
