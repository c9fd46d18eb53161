import { getTableColumns } from 'drizzle-orm'
import type { Audience, NewRecord, Usage } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { toContentHash, toKeyHash, toSaveHash } from '../../save-hash.ts'
import { toInsertList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'
import { toRowCheck } from './record-row.ts'

/** What every save reads first. */
export function createSaveReads(client: Connection): Pick<RecordReads, 'readUsage'> {
  const usage = client.statement<Usage, []>('select records, content_bytes as contentBytes from usage')
  return {
    readUsage: async () => usage.get() ?? { records: 0, contentBytes: 0 },
  }
}

// Generated columns are not inserted.
const {
  seq: _seq,
  savedAt: _savedAt,
  sourceName: _sourceName,
  rankedAt: _rankedAt,
  ...INSERTED
} = getTableColumns(records)
const INSERTED_NAMES = Object.keys(INSERTED) as (keyof typeof INSERTED)[]
const INSERT = `insert into records ${toInsertList(INSERTED)}`

/** The columns that are computed of a record's texts. */
export function toComputed(record: Parameters<typeof toSaveHash>[0] & { content: string }) {
  const contentHash = toContentHash(record.content)
  return { contentHash, saveHash: toSaveHash(record, contentHash), keyHash: toKeyHash(record.factKey) }
}

/** A row of a record with all that is computed of it, but the number. */
export function toRow({ entry: { length, language, codes }, ...record }: NewRecord) {
  const row = { ...record, ...toComputed(record), length, language }
  return { ...row, codes, rowCheck: toRowCheck(row) }
}

/** The rows that every save writes in addition to its index entry. */
export function createSaveWrites(client: Connection) {
  const insert = client.statement<unknown, (string | number | boolean | Uint8Array | null)[]>(INSERT)
  const audience = client.statement<unknown, [workspaceId: number, Audience]>(
    'insert into workspace_audiences values (?1, ?2, (select name from workspaces where id = ?1)) on conflict do nothing',
  )
  // Selected by its id, so that SQLite knows that it is one row, and needs no statement journal.
  const usage = client.statement<unknown, [records: number, contentBytes: number]>(
    'update usage set records = records + ?, content_bytes = content_bytes + ? where id = 1',
  )
  const removals = client.statement<unknown, []>('update usage set removals = removals + 1 where id = 1')
  return {
    /** Returns the record's number. */
    insertRow: (record: NewRecord): number => {
      const row = toRow(record)
      return Number(insert.run(...INSERTED_NAMES.map((name) => row[name])).lastInsertRowid)
    },
    addAudience: (workspaceId: number, to: Audience): void => void audience.run(workspaceId, to),
    count: (by: 1 | -1, contentBytes: number): void => void usage.run(by, by * contentBytes),
    /** Counts that records were forgotten, restored or erased. */
    noteRemoval: (): void => void removals.run(),
  }
}
