import { and, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Audience, Visible } from '../../../record.ts'
import type { SearchReads } from '../../../search.ts'
import { records } from '../../schema/project.ts'
import { byNumber, named } from '../record-row.ts'
import { isOf, isVisible, type Scope } from '../scope.ts'

const near = alias(records, 'near')

/** What scoring reads of many records at once. */
export function createScoringReads(scope: Scope): Pick<SearchReads, 'findTokens' | 'findNeighbours'> {
  const { run } = scope
  const isSeen = (visible: Visible) => and(isVisible(records.audience, visible), isNull(records.forgottenAt))

  /** The two records of the same source just before or after, nearest first: of each audience two are read, whatever was saved in between. */
  function nearest(side: 'before' | 'after', audiences: Audience[]): SQL<number[]> {
    const [compare, order] = side === 'before' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
    const lists = audiences.map(
      (audience) => sql`(select seq from ${records} as near where ${isOf(near, scope)} and ${near.workspaceId} = ${records.workspaceId}
        and ${near.sourceId} = ${records.sourceId} and ${near.audience} = ${audience} and ${near.forgottenAt} is null
        and ${near.sourceId} is not null and ${near.seq} ${compare} ${records.seq} order by ${near.seq} ${order} limit 2)`,
    )
    return sql`array(select seq from (${sql.join(lists, sql` union `)}) as lists order by seq ${order} limit 2)`
  }

  return {
    findTokens: (visible, seqs, codedTo) =>
      run(({ db }) => {
        const isCoded = sql`(${records.codes} is not null and ${records.seq} <= ${codedTo}::bigint)`
        return db
          .select({
            seq: records.seq,
            length: records.length,
            codes: sql`case when ${isCoded} then ${records.codes} end`.mapWith(records.codes),
            content: sql`case when not ${isCoded} then ${records.content} end`.mapWith(records.content),
            askedAs: sql`case when not ${isCoded} then ${records.askedAs} end`.mapWith(records.askedAs),
          })
          .from(named(seqs))
          .crossJoinLateral(byNumber(scope))
          .where(isSeen(visible))
      }),
    findNeighbours: async (visible, seqs) => {
      if (visible.length === 0) return []
      return run(({ db }) =>
        db
          .select({
            seq: records.seq,
            before: nearest('before', visible).mapWith((seqs: Iterable<number>) => [...seqs]),
            after: nearest('after', visible).mapWith((seqs: Iterable<number>) => [...seqs]),
          })
          .from(named(seqs))
          .crossJoinLateral(byNumber(scope))
          .where(and(isSeen(visible), isNotNull(records.sourceId))),
      )
    },
  }
}
