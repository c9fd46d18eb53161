import type { Database } from 'bun:sqlite'
import type { Audience, NewRecord } from '../../record.ts'
import { toContentHash } from './content-hash.ts'

/** The rows that every save writes, beside its entry in the index. */
export function createSaveWrites(client: Database) {
  const insert = client.prepare<unknown, (string | number | Uint8Array | null)[]>(
    `insert into records (id, workspace_id, audience, author_id, content, content_hash, length, codes, fact_key, fact_key_given, status,
      superseded_by, source_id, source_hash, created_at, expires_at, forgotten_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const audience = client.prepare<unknown, [number, Audience]>(
    'insert into workspace_audiences values (?1, ?2, (select name from workspaces where id = ?1)) on conflict do nothing',
  )
  // Named by its number, the row is known to be the only one, and the engine keeps no journal of the statement.
  const usage = client.prepare<unknown, [number, number]>(
    'update usage set records = records + ?, content_bytes = content_bytes + ? where id = 1',
  )
  return {
    insertRow: (one: NewRecord): number => {
      const { id, workspaceId, authorId, content, factKey, factKeyGiven, status, supersededBy, sourceId, sourceHash } = one
      const { createdAt, expiresAt, forgottenAt, entry } = one
      const words = [toContentHash(content), entry.length, entry.codes] as const
      const named = [factKey, Number(factKeyGiven), status, supersededBy, sourceId, sourceHash] as const
      const row = insert.run(id, workspaceId, one.audience, authorId, content, ...words, ...named, createdAt, expiresAt, forgottenAt)
      return Number(row.lastInsertRowid)
    },
    addAudience: (workspaceId: number, to: Audience): void => void audience.run(workspaceId, to),
    count: (by: 1 | -1, contentBytes: number): void => void usage.run(by, by * contentBytes),
  }
}
