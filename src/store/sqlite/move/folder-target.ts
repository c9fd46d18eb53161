import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Refusal } from '../../../errors.ts'
import { ADDRESS_FILE } from '../../../serve-address.ts'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import { BACKUPS_FOLDER } from '../../backup.ts'
import type { MakeAnew, MovedTable, MoveTarget, Part, PartState, Row } from '../../move/tables.ts'
import type { StoredRecord } from '../../record.ts'
import { syncFile } from '../backup/archive.ts'
import type { Connection } from '../connection.ts'
import {
  giveToOwner,
  hasData,
  makeFolder,
  PROJECT_FILE_KINDS,
  SERVE_LOCK_FILE,
  takeServeLock,
  toControlPath,
  toMovingPath,
  toProjectPath,
} from '../data-folder.ts'
import { toWriteError } from '../errors.ts'
import { MADE_AT } from '../files-of-projects.ts'
import { createIndexWrites } from '../project/index/word-index.ts'
import { CONTENT_BYTES, toRow } from '../project/record-row.ts'
import { records } from '../schema/project.ts'
import { truncateLog } from '../scrub.ts'
import type { Later } from '../writer.ts'
import { createFiles, createFolderSource } from './folder.ts'
import { SQLITE_MOVED } from './moved-tables.ts'

/** Name of the control file until the move is complete. */
const UNFINISHED_CONTROL = 'control.db.moving'
/** Files that an empty folder may contain. */
const IGNORED = [SERVE_LOCK_FILE, ADDRESS_FILE, BACKUPS_FOLDER, 'secret.key', 'lost+found']

/** Writes a new data folder. */
export function createFolderTarget(folder: string, { toEntry, now }: MakeAnew): MoveTarget {
  const controlPath = join(folder, UNFINISHED_CONTROL)
  const files = createFiles(folder, now, { mayMake: true, controlPath })
  const source = createFolderSource(folder, files)
  let release = () => {}
  return {
    ...source,
    close: async () => {
      files.close()
      release()
    },
    begin: async (fingerprint) => {
      makeFolder(folder)
      const [other] = readdirSync(folder).filter((name) => !IGNORED.includes(name))
      const mark = toMovingPath(folder)
      // A process that was killed at the very end of a completed move leaves the mark; the folder may have been served
      // since, and must not be overwritten.
      if (other !== undefined && (!existsSync(mark) || hasData(folder)))
        throw new Refusal(`the folder '${folder}' is not empty ('${other}'); move into a new one`)
      release = takeServeLock(folder)
      if (!existsSync(mark)) await writeFile(mark, fingerprint, { mode: 0o600 })
      else if (readFileSync(mark, 'utf8') !== fingerprint)
        throw new Refusal(
          `the folder '${folder}' holds part of a move from something else, or the source has changed since; move into a new one`,
        )
    },
    write: async (part, table, rows) => {
      const { connection, later } = await files.of(part)
      inTransaction(connection, () => {
        if (table === 'records') insertRecords({ connection, later, toEntry }, rows)
        else insertRows(connection, table, rows)
        for (const { run } of later.splice(0)) run()
      })
    },
    writeState: async (part, state) => {
      const { connection } = await files.of(part)
      inTransaction(connection, () =>
        writeState(connection, part, state, (id) => markMade(connection, { folder, id, now })),
      )
    },
    finish: async () => {
      const control = await files.control()
      const isEmptied = await truncateLog(control).catch((error) => Promise.reject(toWriteError(error, controlPath)))
      if (!isEmptied)
        throw new Refusal(`another process reads '${controlPath}'; end it and run the same 'memsvc move' again`)
      files.close()
      for (const path of readdirSync(folder, { recursive: true })) giveToOwner(join(folder, path.toString()))
      for (const ending of ['-wal', '-shm']) await rm(controlPath + ending, { force: true })
      await syncFile(folder)
      await rename(controlPath, toControlPath(folder))
      await rm(toMovingPath(folder))
      await syncFile(folder)
    },
  }
}

function inTransaction(connection: Connection, act: () => void): void {
  connection.run('begin immediate')
  try {
    act()
    connection.run('commit')
  } catch (error) {
    if (connection.inTransaction) connection.run('rollback')
    throw toWriteError(error, connection.filename)
  }
}

function insertRows(connection: Connection, table: MovedTable, rows: Row[]): void {
  const db = drizzle({ client: connection, casing: 'snake_case' })
  for (const row of rows) db.insert(SQLITE_MOVED[table].table).values(row).run()
}

type Indexing = Pick<MakeAnew, 'toEntry'> & { connection: Connection; later: Later }

/** Inserts records with all derived columns, and the index entries of those that are not forgotten. */
function insertRecords({ connection, later, toEntry }: Indexing, rows: Row[]): void {
  const index = createIndexWrites(connection, later)
  const db = drizzle({ client: connection, casing: 'snake_case' })
  for (const row of rows) {
    const record = row as StoredRecord
    const isForgotten = record.forgottenAt !== null
    const entry = toEntry(record)
    db.insert(records)
      .values({ ...toRow({ ...record, entry }), seq: record.seq, ...(isForgotten && { codes: null }) })
      .run()
    if (!isForgotten) index.insertEntry(record, entry)
  }
}

type Marking = { folder: string; id: string; now: number }

/** Marks a project's file as created: from now on its absence is damage. */
function markMade(connection: Connection, { folder, id, now }: Marking): void {
  for (const file of PROJECT_FILE_KINDS)
    if (existsSync(toProjectPath(folder, id, file)))
      connection.run(`update projects set ${MADE_AT[file]} = ? where id = ?`, [now, id])
}

function writeState(connection: Connection, { kind }: Part, state: PartState, markProject: (id: string) => void): void {
  if (kind === 'control') {
    setSequence(connection, 'audit', state.lastAudit)
    for (const { id } of connection.query<{ id: string }, []>('select id from projects').all()) markProject(id)
  } else if (kind === 'histories') {
    setSequence(connection, 'blocks', state.lastBlock)
  } else {
    const counted = `select count(*), coalesce(sum(${CONTENT_BYTES}), 0) from records where forgotten_at is null`
    connection.run(`update usage set (records, content_bytes) = (${counted})`)
    connection.run(
      'insert or replace into indexing (id, rules, target, reached) select 1, ?1, ?1, 0 where exists (select 1 from records)',
      [ANALYZER_VERSION],
    )
  }
}

/** Sets the last assigned number of a table, which is never assigned again. */
function setSequence(connection: Connection, table: string, last = 0): void {
  connection.run('delete from sqlite_sequence where name = ?', [table])
  connection.run('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last])
}
