import { and, asc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads, Selection } from '../../project.ts'
import { records } from '../schema/project.ts'
import { RECORD } from './select.ts'

/** Records of a selection in their order of saving. */
export function createListing(db: BunSQLiteDatabase): ProjectReads['listRecords'] {
  return async (selection) => {
    const rows = db.select(RECORD).from(records).where(toCondition(selection)).orderBy(asc(records.seq))
    return selection.limit === undefined ? rows.all() : rows.limit(selection.limit).all()
  }
}

function toCondition({ visible, workspaceId, sourceId, forgotten, afterSeq }: Selection) {
  return and(
    visible && inArray(records.audience, visible),
    forgotten ? isNotNull(records.forgottenAt) : isNull(records.forgottenAt),
    workspaceId === undefined ? undefined : eq(records.workspaceId, workspaceId),
    sourceId === undefined ? undefined : eq(records.sourceId, sourceId),
    afterSeq === undefined ? undefined : gt(records.seq, afterSeq),
  )
}
