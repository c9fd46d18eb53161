import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { RecordReads } from '../../record-verbs.ts'
import { records } from '../schema/project.ts'
import { HEAD, RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** Records examined in one slice, unless asked otherwise. */
const EXAMINED_ROWS = 64

const superseder = alias(records, 'superseder')

/** Records by what supersedes them. */
export function createSupersededReads(scope: Scope): Pick<RecordReads, 'listSupersededBy' | 'listHeirs' | 'listOrphansSlice'> {
  const { run } = scope
  const naming = (id: string) => and(isOf(records, scope), eq(records.supersededBy, id), isNull(records.forgottenAt))
  return {
    listSupersededBy: ({ id, workspaceId, audience }, limit) =>
      run(({ db }) =>
        db
          .select(RECORD)
          .from(records)
          .where(and(naming(id), eq(records.workspaceId, workspaceId), eq(records.audience, audience)))
          .orderBy(desc(records.seq))
          .limit(limit),
      ),
    listHeirs: (id, { beforeSeq, limit }) =>
      run(({ db }) =>
        db
          .select(HEAD)
          .from(records)
          .where(and(naming(id), beforeSeq === undefined ? undefined : lt(records.seq, beforeSeq)))
          .orderBy(desc(records.seq))
          .limit(limit),
      ),
    listOrphansSlice: ({ after, examine = EXAMINED_ROWS }) =>
      run(async ({ db }) => {
        const isAfter =
          after &&
          sql`(${records.supersededBy}, ${records.seq}) > (${sql.param(after.supersededBy, records.supersededBy)}::text collate "C", ${after.seq}::integer)`
        const rows = await db
          .select({
            id: records.id,
            seq: records.seq,
            supersededBy: records.supersededBy,
            isOrphan: sql<boolean>`${records.forgottenAt} is null and ${records.status} = 'superseded' and ${superseder.seq} is null`,
          })
          .from(records)
          .leftJoin(superseder, and(isOf(superseder, scope), eq(superseder.id, records.supersededBy), isNull(superseder.forgottenAt)))
          .where(and(isOf(records, scope), isNotNull(records.supersededBy), isAfter))
          .orderBy(asc(records.supersededBy), asc(records.seq))
          .limit(examine)
        const last = rows.at(-1)
        const next = last && { supersededBy: last.supersededBy ?? '', seq: last.seq }
        return { ids: rows.filter(({ isOrphan }) => isOrphan).map(({ id }) => id), next: rows.length < examine ? undefined : next }
      }),
  }
}
