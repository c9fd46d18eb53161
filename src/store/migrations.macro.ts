import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A migration. They are applied in order of `name`; `hash` is the SHA-256 of `sql`, in hexadecimal. */
export type Migration = { name: string; hash: string; sql: string }

/** Kinds of file of the embedded engine: of accounts and keys, of a project's memory, and of its session histories. */
export type MigrationKind = 'control' | 'project' | 'history'

/** Runs at build time: reads a folder of migrations, so that the executable contains them. */
export function readMigrations(kind: MigrationKind | 'postgres'): Migration[] {
  const folder = join(import.meta.dir, '../../drizzle', kind)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => {
    const sql = readFileSync(join(folder, file), 'utf8')
    return { name: file.slice(0, -'.sql'.length), hash: createHash('sha256').update(sql).digest('hex'), sql }
  })
}
