import { and, desc, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import { records } from '../schema/project.ts'
import { isInPlace } from './filter.ts'
import { RECORD } from './record-row.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import type { WriteScope } from './write-scope.ts'

/** Records examined in one slice, unless asked otherwise: with the longest contents about 1 MB. */
const EXAMINED_ROWS = 16

/** Records that are forgotten and not erased. */
export function createTrashReads(scope: Scope): Pick<RecordReads, 'listTrashSlice' | 'listToReview'> {
  const { run } = scope
  const order = [desc(records.forgottenAt), desc(records.seq)]
  return {
    listToReview: (visible, kind, limit) =>
      run(({ db }) =>
        db
          .select(RECORD)
          .from(records)
          .where(
            kind === 'forgotten'
              ? and(isOf(records, scope), sql`needs_review`, isVisible(records.audience, visible))
              : and(isInPlace(scope, { visible }), sql`marked`, ne(records.status, 'superseded')),
          )
          .orderBy(...(kind === 'forgotten' ? order : [desc(records.seq)]))
          .limit(limit),
      ),
    listTrashSlice: (visible, { before, examine = EXAMINED_ROWS }) =>
      run(async ({ db }) => {
        const isAfter = before && sql`(${records.forgottenAt}, ${records.seq}) < (${before.forgottenAt}::bigint, ${before.seq}::integer)`
        const rows = await db
          .select(RECORD)
          .from(records)
          .where(and(isOf(records, scope), isNotNull(records.forgottenAt), isAfter))
          .orderBy(...order)
          .limit(examine)
        const last = rows.at(-1)
        return {
          records: rows.filter(({ audience }) => visible?.includes(audience) ?? true),
          next: rows.length < examine || last === undefined ? undefined : { seq: last.seq, forgottenAt: last.forgottenAt ?? 0 },
        }
      }),
  }
}

export function createTrashWrites(scope: WriteScope): Pick<RecordWrites, 'purgeForgotten'> {
  return {
    purgeForgotten: (before, limit) => {
      scope.state().removals++
      return scope.run(async ({ db }) => {
        const isOwn = isOf(records, scope)
        const old = db
          .select({ seq: records.seq })
          .from(records)
          .where(and(isOwn, lt(records.forgottenAt, before)))
          .limit(limit)
        return (
          await db
            .delete(records)
            .where(and(isOwn, inArray(records.seq, old)))
            .returning({ seq: records.seq })
        ).length
      })
    },
  }
}
