import type { Database } from 'bun:sqlite'
import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { toIsoTime } from '../../../clock.ts'
import { toErrorCode } from '../../../errors.ts'
import { toCwd, walk } from '../places.ts'
import { isOwnFile } from '../readers/history-file.ts'
import type { HistorySource, Machine } from '../source.ts'
import { listRows, toSessionFile, withDatabase } from './database.ts'

/** Release channels other than the stable one have separate databases. */
const DATABASE = /^opencode(?:-[\w.-]{1,50})?\.db$/
const NO_FOLDER = /(?!)/

/** A session's rows are examined unless it was found before and has not been written to for this long. */
const RECENT_MS = 24 * 60 * 60_000

const MAX_SESSIONS = 100_000

type SessionRow = {
  id: string
  parent_id: string | null
  directory: string
  version: string
  time_created: number
  time_updated: number
}

/**
 * The sessions of opencode, in `$XDG_DATA_HOME/opencode/opencode.db` or the path in `OPENCODE_DB`. A database that
 * cannot be read yields one history, with the reason.
 */
export async function* findSessions(
  machine: Machine,
  known: ReadonlyMap<string, HistorySource>,
  now: number,
): AsyncGenerator<HistorySource> {
  for (const file of await findDatabases(machine)) {
    try {
      yield* withDatabase(file, (database) => describeSessions(database, file, known, now))
    } catch (error) {
      // Of another release, damaged, or not open to this user.
      const stats = await lstat(file).catch(() => undefined)
      if (stats !== undefined && isOwnFile(stats)) yield toUnreadable(file, stats, toErrorCode(error))
    }
  }
}

function toUnreadable(file: string, { size: bytes, mtimeMs, ino: inode }: Stats, unreadable: string): HistorySource {
  const name = basename(file)
  return {
    assistant: 'opencode',
    sourceKey: name,
    sessionId: name,
    kind: 'main',
    file,
    cwd: null,
    bytes,
    mtimeMs,
    inode,
    unreadable,
  }
}

async function findDatabases({ environment, home }: Machine): Promise<string[]> {
  const data = join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')
  if (environment.OPENCODE_DB) return [resolve(data, environment.OPENCODE_DB)]
  const names = [...walk(data, NO_FOLDER)]
  return names.filter((name) => DATABASE.test(name)).map((name) => join(data, name))
}

async function* describeSessions(
  database: Database,
  file: string,
  known: ReadonlyMap<string, HistorySource>,
  now: number,
): AsyncGenerator<HistorySource> {
  const columns = 'id, parent_id, directory, version, time_created, time_updated'
  for (const session of database.query<SessionRow, []>(`SELECT ${columns} FROM session LIMIT ${MAX_SESSIONS}`).all()) {
    const before = known.get(toSessionFile(file, session.id))
    const isQuiet =
      before !== undefined && now - session.time_updated > RECENT_MS && session.time_updated <= before.mtimeMs
    const source = isQuiet ? before : describeSession(database, file, session, now)
    if (source !== undefined) yield source
  }
}

function describeSession(
  database: Database,
  file: string,
  session: SessionRow,
  now: number,
): HistorySource | undefined {
  const { settled: rows } = listRows(database, session.id, now)
  const mtimeMs = rows.at(-1)?.time_updated
  if (mtimeMs === undefined) return undefined
  return {
    assistant: 'opencode',
    sourceKey: `${basename(file)}/${session.id}`,
    kind: session.parent_id === null ? 'main' : 'subagent',
    file: toSessionFile(file, session.id),
    sessionId: session.id,
    ...(session.parent_id !== null && { parentSessionId: session.parent_id }),
    cwd: toCwd(session.directory),
    appVersion: session.version,
    firstAt: toIsoTime(session.time_created),
    lastAt: toIsoTime(mtimeMs),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    mtimeMs,
    inode: rows.length,
  }
}
