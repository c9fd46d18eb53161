import type { StoredRecord } from '../../project.ts'

/** A record as a bare statement reads it. */
export type Row = Omit<StoredRecord, 'factKeyGiven'> & { factKeyGiven: number }

/** The columns of a record, for statements whose every microsecond counts: Drizzle takes ten times as long to bind and to read. */
export const ROW = `seq, id, workspace_id as workspaceId, audience, author_id as authorId, content, fact_key as factKey,
  fact_key_given as factKeyGiven, status, superseded_by as supersededBy, source_id as sourceId, source_hash as sourceHash,
  created_at as createdAt, expires_at as expiresAt, forgotten_at as forgottenAt`

export function toRecord(row: Row): StoredRecord {
  return { ...row, factKeyGiven: row.factKeyGiven === 1 }
}
