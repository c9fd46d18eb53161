import { getTableColumns } from 'drizzle-orm'
import { records } from '../schema/project.ts'

const {
  projectId: _projectId,
  contentBytes: _contentBytes,
  contentHash: _contentHash,
  length: _length,
  codes: _codes,
  terms: _terms,
  language: _language,
  comparedKey: _comparedKey,
  sourceName: _sourceName,
  savedAt: _savedAt,
  rankedAt: _rankedAt,
  ...columns
} = getTableColumns(records)
const { content: _content, ...headColumns } = columns

/** The columns of a record that are part of `StoredRecord`, and those of its head. */
export const RECORD = columns
export const HEAD = headColumns
