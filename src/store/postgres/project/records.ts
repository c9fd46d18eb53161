import { and, asc, desc, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Selection } from '../../record-lists.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { records } from '../schema/project.ts'
import { byNumber, HEAD, named, RECORD } from './record-row.ts'
import { isOf, isVisible, type Scope } from './scope.ts'

type Verbs = Pick<
  RecordReads,
  'findRecord' | 'findHead' | 'findRecordsBySeq' | 'findHeadsBySeq' | 'listRecords' | 'listIds' | 'listSourceSlice'
>

/** Rows examined in one slice, unless asked otherwise. */
const EXAMINED_ROWS = 64

/** Records by id, by number and in lists. */
export function createRecords(scope: Scope): Verbs {
  const { run } = scope
  const byId = (id: string, visible: Selection['visible'], forgotten = false) =>
    and(isOf(records, scope), eq(records.id, id), isVisible(records.audience, visible), forgotten ? undefined : isNull(records.forgottenAt))
  const isSeen = (visible: Selection['visible']) => and(isVisible(records.audience, visible), isNull(records.forgottenAt))
  return {
    findRecord: (visible, id, options) =>
      run(
        async ({ db }) =>
          (
            await db
              .select(RECORD)
              .from(records)
              .where(byId(id, visible, options?.forgotten))
          )[0],
      ),
    findHead: (visible, id, options) =>
      run(
        async ({ db }) =>
          (
            await db
              .select(HEAD)
              .from(records)
              .where(byId(id, visible, options?.forgotten))
          )[0],
      ),
    findRecordsBySeq: (visible, seqs) =>
      run(({ db }) => db.select(RECORD).from(named(seqs)).crossJoinLateral(byNumber(scope)).where(isSeen(visible))),
    findHeadsBySeq: (visible, seqs) =>
      run(({ db }) => db.select(HEAD).from(named(seqs)).crossJoinLateral(byNumber(scope)).where(isSeen(visible))),
    listRecords: (selection) =>
      run(({ db }) => {
        const found = db.select(RECORD).from(records).where(toCondition(scope, selection)).orderBy(toOrder(selection))
        return selection.limit === undefined ? found : found.limit(selection.limit)
      }),
    listIds: (selection) =>
      run(async ({ db }) => {
        const found = db.select({ id: records.id }).from(records).where(toCondition(scope, selection)).orderBy(toOrder(selection))
        return (await (selection.limit === undefined ? found : found.limit(selection.limit))).map(({ id }) => id)
      }),
    listSourceSlice: ({ visible, workspaceId, sourceId, after = { audience: '', seq: 0 }, examine = EXAMINED_ROWS }) =>
      run(async ({ db }) => {
        const rows = await db
          .select(HEAD)
          .from(records)
          .where(
            and(
              isOf(records, scope),
              eq(records.workspaceId, workspaceId),
              eq(records.sourceId, sourceId),
              isNull(records.forgottenAt),
              sql`(${records.audience}, ${records.seq}) > (${sql.param(after.audience, records.audience)}::text collate "C", ${after.seq}::integer)`,
            ),
          )
          .orderBy(asc(records.audience), asc(records.seq))
          .limit(examine)
        const heads = rows.filter(({ audience }) => visible?.includes(audience) ?? true)
        return { heads, next: rows.length < examine ? undefined : rows.at(-1) }
      }),
  }
}

function toOrder({ newestFirst }: Selection): SQL {
  return newestFirst ? desc(records.seq) : asc(records.seq)
}

function toCondition(scope: Scope, { visible, workspaceId, sourceId, status, forgotten, afterSeq, beforeSeq }: Selection) {
  return and(
    isOf(records, scope),
    isVisible(records.audience, visible),
    forgotten ? isNotNull(records.forgottenAt) : isNull(records.forgottenAt),
    workspaceId === undefined ? undefined : eq(records.workspaceId, workspaceId),
    sourceId === undefined ? undefined : eq(records.sourceId, sourceId),
    status === undefined ? undefined : eq(records.status, status),
    afterSeq === undefined ? undefined : gt(records.seq, afterSeq),
    beforeSeq === undefined ? undefined : lt(records.seq, beforeSeq),
  )
}
