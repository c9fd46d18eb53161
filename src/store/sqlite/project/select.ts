import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { StoredRecord, Visible } from '../../record.ts'
import { records } from '../schema/project.ts'

const { contentHash: _hash, length: _length, codes: _codes, ...columns } = getTableColumns(records)

/** The columns of a record as it is handed out. */
export const RECORD: { [name in keyof StoredRecord]: (typeof columns)[name] } = columns

/** The condition every prepared read of records or sources starts with; `toVisibleParams` makes its three parameters. */
export function seen(audience: SQLiteColumn): SQL {
  const [v1, v2, v3] = [sql.placeholder('v1'), sql.placeholder('v2'), sql.placeholder('v3')]
  return sql`(${v1} is null or ${audience} in (${v1}, ${v2}, ${v3}))`
}

/** No record's audience. */
const NOBODY = ''

/** A caller has at most three audiences: the project, one department, itself. Nulls let the operator see all; no audience at all sees nothing. */
export function toVisibleParams(visible: Visible): { v1: string | null; v2: string | null; v3: string | null } {
  const [v1 = visible === undefined ? null : NOBODY, v2 = v1, v3 = v1] = visible ?? []
  return { v1, v2, v3 }
}
