import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One step of a file's history; `name` orders it and `hash` (SHA-256) tells whether it is the one that was applied. */
export type Migration = { name: string; hash: string; sql: string }

/** Reads a folder of migrations while the executable is built, so that it carries them. */
export function readMigrations(kind: 'control' | 'project'): Migration[] {
  const folder = join(import.meta.dir, '../../../drizzle', kind)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.sort().map((file) => {
    const sql = readFileSync(join(folder, file), 'utf8')
    return { name: file.slice(0, -'.sql'.length), hash: createHash('sha256').update(sql).digest('hex'), sql }
  })
}
