import type { Database } from 'bun:sqlite'
import { type Applied, findUnapplied } from '../migration-history.ts'
import type { Migration } from '../migrations.macro.ts'
import type { Connection } from './connection.ts'

/**
 * Applies the missing migrations to a file and sets its application id, in one exclusive transaction: of several
 * processes one migrates, and the others find it done. Throws a DataError if the file has an unknown migration, because
 * a newer version wrote it, or one with another hash.
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
      database.run('insert into migrations (name, hash, applied_at) values (?, ?, ?)', [step.name, step.hash, now])
    }
    if (steps.length > applied.length) database.run(`pragma application_id = ${applicationId}`)
    database.run('commit')
  } catch (error) {
    if (database.inTransaction) database.run('rollback')
    throw error
  }
}

/**
 * Whether all migrations are applied. Takes no lock, so that a file can be opened while another process writes to it.
 */
export function isMigrated(database: Database, steps: Migration[]): boolean {
  const hasTable = database.query("select 1 from sqlite_schema where name = 'migrations'").get() !== null
  return hasTable && findUnapplied(readApplied(database), steps).length === 0
}

function readApplied(database: Database): Applied[] {
  return database.query<Applied, []>('select name, hash from migrations order by name').all()
}
