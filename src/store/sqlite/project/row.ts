import type { RecordHead, StoredRecord } from '../../record.ts'

/** A record as a bare statement reads it. */
export type Row = Omit<StoredRecord, 'factKeyGiven'> & { factKeyGiven: number }

/** The same without its content. */
export type HeadRow = Omit<Row, 'content'>

/** The columns of a record but its content, for statements whose every microsecond counts: Drizzle takes ten times as long to bind and to read. */
export const HEAD = `seq, id, workspace_id as workspaceId, audience, author_id as authorId, fact_key as factKey,
  fact_key_given as factKeyGiven, status, superseded_by as supersededBy, source_id as sourceId, source_hash as sourceHash,
  created_at as createdAt, expires_at as expiresAt, forgotten_at as forgottenAt`

/** All columns of a record. */
export const ROW = `${HEAD}, content`

export function toRecord(row: Row): StoredRecord {
  return { ...row, factKeyGiven: row.factKeyGiven === 1 }
}

export function toHead(row: HeadRow): RecordHead {
  return { ...row, factKeyGiven: row.factKeyGiven === 1 }
}
