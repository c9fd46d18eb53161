import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DRIZZLE = join(import.meta.dir, '../../drizzle')

/** Makes a data folder as the first version left it: one account, one project, the first step of each history. */
export function makeOlderData(folder: string): void {
  mkdirSync(join(folder, 'projects'), { recursive: true })
  const control = firstStep(join(folder, 'control.db'), 'control', 0x6d656d63)
  control.run("insert into accounts (id, name, plan, limits, subscribed_at, created_at) values ('a1', 'Old Co', 'team', '{}', 1, 1)")
  control.run("insert into projects (id, account_id, name, created_at, made_at) values ('p1', 'a1', 'old', 1, 1)")
  control.close()
  firstStep(join(folder, 'projects', 'p1.db'), 'project', 0x6d656d70).close()
}

function firstStep(path: string, kind: string, applicationId: number): Database {
  const [file = ''] = readdirSync(join(DRIZZLE, kind))
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const sql = readFileSync(join(DRIZZLE, kind, file), 'utf8')
  const database = new Database(path)
  database.run('pragma journal_mode = wal')
  database.run(sql)
  database.run('create table migrations (name text primary key, hash text not null, applied_at integer not null) without rowid')
  const hash = createHash('sha256').update(sql).digest('hex')
  database.run('insert into migrations values (?, ?, 1)', [file.replace('.sql', ''), hash])
  database.run(`pragma application_id = ${applicationId}`)
  return database
}
