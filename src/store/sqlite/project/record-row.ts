import { getTableColumns } from 'drizzle-orm'
import type { Audience, NewRecord, StoredRecord } from '../../record.ts'
import { toRow as toSharedRow } from '../../shared/project/record-writes.ts'
import { toInsertList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { records } from '../schema/project.ts'

// SQLite computes the last three itself.
const {
  seq,
  rowCheck,
  codes,
  savedAt: _savedAt,
  sourceName: _sourceName,
  rankedAt: _rankedAt,
  ...checked
} = getTableColumns(records)
const { content: _content, ...checkedHead } = checked

/** The columns that a row's checksum covers, with number and checksum; and those without the content. */
export const CHECKED = { seq, ...checked, rowCheck }
export const CHECKED_HEAD = { seq, ...checkedHead, rowCheck }
const CHECKED_NAMES = Object.keys(checkedHead) as (keyof typeof checkedHead)[]

/** Bytes of a record that count against the plan, as `bytesOf` has them. */
export const CONTENT_BYTES = "(octet_length(content) + octet_length(coalesce(asked_as, '')))"

/** A record of a row that has the columns of `CHECKED`. */
export function toRecordOf(
  row: StoredRecord &
    Pick<typeof records.$inferSelect, 'rowCheck' | 'keyHash' | 'contentHash' | 'saveHash' | 'length' | 'language'>,
): StoredRecord {
  const {
    rowCheck: _check,
    keyHash: _key,
    contentHash: _content,
    saveHash: _save,
    length: _length,
    language: _language,
    ...record
  } = row
  return record
}

/**
 * A row of a record with all columns but the number, which its indexes repeat, and the tokens, which follow from the
 * content.
 */
export type CheckedRow = Pick<typeof records.$inferSelect, (typeof CHECKED_NAMES)[number]> & { content?: string }

/** Checksum of a row, by which damage is found except with a probability of 2^-32. */
export function toRowCheck(row: CheckedRow): number {
  const head = Bun.hash.crc32(JSON.stringify(CHECKED_NAMES.map((name) => row[name])))
  return row.content === undefined ? head : (head ^ Bun.hash.crc32(row.content)) >>> 0
}

/**
 * The checksum of a row after a change. The rows have no content if it does not change. Damage from before the change
 * is still found after it.
 */
export const toChangedCheck = (before: CheckedRow & { rowCheck: number }, after: CheckedRow): number =>
  (before.rowCheck ^ toRowCheck(before) ^ toRowCheck(after)) >>> 0

const INSERTED = { ...checked, codes, rowCheck }
const INSERTED_NAMES = Object.keys(INSERTED) as (keyof typeof INSERTED)[]
const INSERT = `insert into records ${toInsertList(INSERTED)}`

/** A row of a record with all that is computed of it, but the number. */
export function toRow(record: NewRecord) {
  const row = toSharedRow(record)
  return { ...row, rowCheck: toRowCheck(row) }
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
