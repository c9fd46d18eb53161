import type { Database } from 'bun:sqlite'
import { type Applied, findUnapplied } from '../migration-history.ts'
import type { Migration } from '../migrations.macro.ts'
import type { Connection } from './connection.ts'
import { foldKeys } from './fold-keys.ts'

/** What follows a migration in the same transaction, by the migration's name, where SQL does not do. */
const AFTERWARDS: Record<string, (database: Connection) => void> = { '0014_facts': foldKeys }

/**
 * Applies the migrations a file has not had, and sets its application id, all in one exclusive transaction: of several processes one migrates, and the
 * others find it done. Throws a DataError when the file has a migration unknown here, which a newer version applied, or one with another hash.
 */
export function migrate(database: Connection, steps: Migration[], applicationId: number, now: number): void {
  if (isMigrated(database, steps)) return
  database.run('begin exclusive')
  try {
    database.run(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at integer not null) without rowid',
    )
    const applied = readApplied(database)
    for (const step of findUnapplied(applied, steps)) {
      database.run(step.sql)
      AFTERWARDS[step.name]?.(database)
      database.run('insert into migrations (name, hash, applied_at) values (?, ?, ?)', [step.name, step.hash, now])
    }
    if (steps.length > applied.length) database.run(`pragma application_id = ${applicationId}`)
    database.run('commit')
  } catch (error) {
    if (database.inTransaction) database.run('rollback')
    throw error
  }
}

/** Without a lock, so that a file is opened while another process writes to it. */
export function isMigrated(database: Database, steps: Migration[]): boolean {
  const hasTable = database.query("select 1 from sqlite_schema where name = 'migrations'").get() !== null
  return hasTable && findUnapplied(readApplied(database), steps).length === 0
}

function readApplied(database: Database): Applied[] {
  return database.query<Applied, []>('select name, hash from migrations order by name').all()
}
