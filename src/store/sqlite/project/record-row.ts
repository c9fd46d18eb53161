import { getTableColumns } from 'drizzle-orm'
import type { RecordHead, StoredRecord } from '../../record.ts'
import { createDecoder, type Row, toSelectList } from '../columns.ts'
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
const { keyHash: _keyHash, contentHash: _contentHash, saveHash: _saveHash, length: _length, ...columns } = { seq, ...checked }
const { content: _content, ...headColumns } = columns
const { content: _checkedContent, ...checkedHead } = checked

/** The columns of a record that are part of `StoredRecord`. */
export const RECORD_COLUMNS: { [name in keyof StoredRecord]: (typeof columns)[name] } = columns

/** The columns that a row's checksum covers, with number and checksum; and those without the content. */
export const CHECKED = { seq, ...checked, rowCheck }
export const CHECKED_HEAD = { seq, ...checkedHead, rowCheck }
export const CHECKED_NAMES = Object.keys(checkedHead) as (keyof typeof checkedHead)[]

/**
 * Select lists of raw statements. The content comes last, because a long one is on overflow pages through which SQLite must go to reach the columns behind
 * it.
 */
export const HEAD = toSelectList(headColumns)
export const RECORD = `${HEAD}, content`

/** Bytes of a record that count against the plan, as `bytesOf` has them. */
export const CONTENT_BYTES = "(octet_length(content) + octet_length(coalesce(asked_as, '')))"

export type HeadRow = Row<RecordHead>
export type RecordRow = Row<StoredRecord>

/** A record of a row that has the columns of `CHECKED`. */
export function toRecordOf(
  row: StoredRecord & Pick<typeof records.$inferSelect, 'rowCheck' | 'keyHash' | 'contentHash' | 'saveHash' | 'length'>,
): StoredRecord {
  const { rowCheck: _rowCheck, keyHash: _keyHash, contentHash: _contentHash, saveHash: _saveHash, length: _length, ...record } = row
  return record
}

export const toHead = createDecoder<RecordHead>(headColumns)
export const toRecord = createDecoder<StoredRecord>(columns)
