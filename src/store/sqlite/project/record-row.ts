import { getTableColumns } from 'drizzle-orm'
import type { StoredRecord } from '../../record.ts'
import { records } from '../schema/project.ts'

// SQLite computes the last three itself.
const {
  seq,
  rowCheck,
  codes: _codes,
  savedAt: _savedAt,
  sourceName: _sourceName,
  rankedAt: _rankedAt,
  ...checked
} = getTableColumns(records)
const { content: _content, ...checkedHead } = checked

/** The columns that a row's checksum covers, with number and checksum; and those without the content. */
export const CHECKED = { seq, ...checked, rowCheck }
export const CHECKED_HEAD = { seq, ...checkedHead, rowCheck }
export const CHECKED_NAMES = Object.keys(checkedHead) as (keyof typeof checkedHead)[]

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
