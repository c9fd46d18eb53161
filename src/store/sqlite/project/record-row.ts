import { getTableColumns } from 'drizzle-orm'
import type { RecordHead, StoredRecord } from '../../record.ts'
import { createDecoder, type Row, toSelectList } from '../columns.ts'
import { records } from '../schema/project.ts'

const {
  contentHash: _hash,
  rowCheck: _check,
  length: _length,
  codes: _codes,
  foldedKey: _foldedKey,
  comparedKey: _comparedKey,
  rankedAt: _rankedAt,
  savedAt: _savedAt,
  sourceName: _sourceName,
  ...columns
} = getTableColumns(records)
const { content: _content, ...headColumns } = columns

/** The columns of a record that are part of `StoredRecord`. */
export const RECORD_COLUMNS: { [name in keyof StoredRecord]: (typeof columns)[name] } = columns

/**
 * Select lists of raw statements. The content comes last, because a long one is on overflow pages through which SQLite must go to reach the columns behind
 * it.
 */
export const HEAD = toSelectList(headColumns)
export const RECORD = `${HEAD}, content`

export type HeadRow = Row<RecordHead>
export type RecordRow = Row<StoredRecord>

export const toHead = createDecoder<RecordHead>(headColumns)
export const toRecord = createDecoder<StoredRecord>(columns)
