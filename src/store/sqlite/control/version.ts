import type { Database } from 'bun:sqlite'

type Row = { user_version: number }

/**
 * A number that changes when anybody commits a change to accounts, members, projects or keys, but not with lines of the audit log
 * or uses of keys. It is kept in the header of the file, and read anew only after a commit.
 */
export function createControlVersion(reader: Database, version: () => number): () => number {
  const statement = reader.prepare<Row, []>('pragma user_version')
  let seen: number | undefined
  let generation = 0
  return () => {
    const current = version()
    if (current !== seen) generation = statement.get()?.user_version ?? 0
    seen = current
    return generation
  }
}

/** What a change inside a write calls to begin the next generation. */
export function createNextControlVersion(client: Database): () => void {
  const statement = client.prepare<Row, []>('pragma user_version')
  return () => void client.run(`pragma user_version = ${((statement.get()?.user_version ?? 0) + 1) % 2 ** 31}`)
}
