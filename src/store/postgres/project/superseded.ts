import { and, asc, desc, eq, isNotNull, isNull, lt, not, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import { records } from '../schema/project.ts'
import { HEAD, RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** Records examined in one slice, unless asked otherwise. */
const EXAMINED_ROWS = 64

const superseder = alias(records, 'superseder')

/** How many superseders of a record are followed. */
const MAX_SUPERSEDERS = 1_000

/** Whether the superseders from `by` on lead to the record `id`, or are too many to tell. A forgotten record has none. */
function leadsTo({ projectId }: Scope, id: string, by: string): SQL {
  const [to, first] = [id, by].map((text) => sql`${sql.param(text, records.id)}::text collate "C"`)
  return sql`exists (
    with recursive superseders (id, number) as (
      select ${first}, 1
      union all
      select next.superseded_by, number + 1 from superseders join records as next on next.project_id = ${projectId} and next.id = superseders.id
        where next.superseded_by is not null and superseders.id <> ${to} and number <= ${MAX_SUPERSEDERS}
    ) select from superseders where superseders.id = ${to} or number > ${MAX_SUPERSEDERS})`
}

export function createSupersededWrites(scope: Scope): Pick<RecordWrites, 'supersede'> {
  return {
    supersede: (id, by) =>
      scope.run(async ({ db }) => {
        const changed = await db
          .update(records)
          .set({ status: 'superseded', supersededBy: by })
          .where(and(isOf(records, scope), eq(records.id, id), not(leadsTo(scope, id, by))))
          .returning({ seq: records.seq })
        return changed.length > 0
      }),
  }
}

/** Records by what supersedes them. */
export function createSupersededReads(scope: Scope): Pick<RecordReads, 'listSupersededBy' | 'listHeirs' | 'listOrphans'> {
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
    listOrphans: ({ after, examine = EXAMINED_ROWS }) =>
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
