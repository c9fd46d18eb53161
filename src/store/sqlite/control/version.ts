import type { Connection } from '../connection.ts'

type Row = { user_version: number }

/** Reads the control version, which is `user_version` in the header of the file; again only after a commit, which `fileVersion` reports. */
export function createControlVersion(reader: Connection, fileVersion: () => number): () => number {
  const statement = reader.statement<Row, []>('pragma user_version')
  let readAt: number | undefined
  let version = 0
  return () => {
    const current = fileVersion()
    if (current !== readAt) version = statement.get()?.user_version ?? 0
    readAt = current
    return version
  }
}

/** Increments the control version; only inside a write. */
export function createVersionIncrement(client: Connection): () => void {
  const statement = client.statement<Row, []>('pragma user_version')
  return () => void client.run(`pragma user_version = ${((statement.get()?.user_version ?? 0) + 1) % 2 ** 31}`)
}
