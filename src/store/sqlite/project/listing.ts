import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Selection, Visible } from '../../record.ts'
import { records } from '../schema/project.ts'
import { RECORD } from './select.ts'

/** Lists of records, whole or in parts. */
export function createListing(db: BunSQLiteDatabase): Pick<ProjectReads, 'listRecords' | 'listIds' | 'listSupersededBy'> {
  const list = (condition: SQL | undefined, order: SQL[], limit = -1) =>
    db
      .select(RECORD)
      .from(records)
      .where(condition)
      .orderBy(...order)
      .limit(limit)
      .all()
  return {
    listRecords: async (selection) => list(toCondition(selection), [toOrder(selection)], selection.limit),
    listIds: async (selection) =>
      db
        .select({ id: records.id })
        .from(records)
        .where(toCondition(selection))
        .orderBy(toOrder(selection))
        .limit(selection.limit ?? -1)
        .all()
        .map(({ id }) => id),
    listSupersededBy: async ({ id, workspaceId, audience, factKey }, limit) => {
      // The plus leaves the engine the one index that leads to few: a fact can have thousands of records.
      const ofFact = and(sql`+${records.workspaceId} = ${workspaceId}`, sql`+${records.factKey} = ${factKey}`, sql`+fact_key_given = 1`)
      return list(
        and(eq(records.supersededBy, id), ofFact, sql`+${records.audience} = ${audience}`, isNull(records.forgottenAt)),
        [desc(records.seq)],
        limit,
      )
    },
  }
}

function toOrder({ newestFirst }: Selection): SQL {
  return newestFirst ? desc(records.seq) : asc(records.seq)
}

function toCondition({ visible, workspaceId, sourceId, status, forgotten, afterSeq, beforeSeq }: Selection) {
  const isRare = visible?.includes('*') === false || (status !== undefined && status !== 'unverified')
  return and(
    isSeen(visible),
    forgotten ? isNotNull(records.forgottenAt) : isNull(records.forgottenAt),
    workspaceId === undefined ? undefined : isIn(workspaceId, isRare),
    sourceId === undefined ? undefined : eq(records.sourceId, sourceId),
    status === undefined ? undefined : isOf(status),
    afterSeq === undefined ? undefined : gt(records.seq, afterSeq),
    beforeSeq === undefined ? undefined : lt(records.seq, beforeSeq),
  )
}

/** Not even what all see: then an index leads to the few. */
function isSeen(visible: Visible) {
  return visible && and(inArray(records.audience, visible), visible.includes('*') ? undefined : sql`audience <> '*'`)
}

/** Few records are verified or superseded: an index leads to them. */
function isOf(status: NonNullable<Selection['status']>) {
  return and(eq(records.status, status), status === 'unverified' ? undefined : sql`status <> 'unverified'`)
}

/** The plus keeps the engine from walking through a workspace where another index leads to few records. */
function isIn(workspaceId: number, isRare: boolean) {
  return isRare ? sql`+${records.workspaceId} = ${workspaceId}` : eq(records.workspaceId, workspaceId)
}
