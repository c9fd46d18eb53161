import { and, desc, eq, gt, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Conflict } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { records } from '../schema/project.ts'
import { byNumber, named } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** Rivals of one verified record that are looked for. Without imports and restores there are at most two in total. */
const MAX_RIVALS = 40
/** Contradictions of one record that a search names. */
const MAX_CONTRADICTIONS = 8
/** Verified records examined in one slice, unless asked otherwise. */
const EXAMINED_ROWS = 1_024

const other = alias(records, 'other')

/** Verified records that have rivals. */
export function createConflicts(scope: Scope): Pick<RecordReads, 'listConflictsSlice' | 'listContradictions'> {
  const { run } = scope
  const isRival = and(
    isOf(other, scope),
    eq(other.keyHash, records.keyHash),
    eq(other.workspaceId, records.workspaceId),
    eq(other.audience, records.audience),
    isNull(other.forgottenAt),
    ne(other.contentHash, records.contentHash),
  )
  // Records are looked up in the order of the key, and rivals in that of the index by fact key: the planner takes these, whatever it knows of the table.
  function rivals(condition: SQL | undefined, limit: number): SQL<number[]> {
    const found = sql`select ${other.seq} from ${records} as other where ${and(isRival, condition)}
      order by ${other.status}, ${other.contentHash}, ${other.saveHash}, ${other.seq} limit ${limit}`
    return sql`array(${found})`.mapWith((seqs: Iterable<number>) => [...seqs])
  }
  // A pair of two verified records is listed with the older one.
  const isListed = or(
    and(eq(other.status, 'unverified'), other.factKeyGiven),
    and(eq(other.status, 'verified'), other.factKeyGiven, records.factKeyGiven, gt(other.seq, records.seq)),
  )
  const against = and(
    eq(other.status, 'verified'),
    ne(records.status, 'superseded'),
    records.factKeyGiven,
    or(eq(records.status, 'unverified'), other.factKeyGiven),
  )
  const by = and(eq(other.status, 'unverified'), eq(records.status, 'verified'), other.factKeyGiven)
  return {
    listContradictions: (seqs) =>
      run(async ({ db }) => {
        const rows = await db
          .select({
            seq: sql<number>`${records.seq}`,
            verified: rivals(against, MAX_CONTRADICTIONS),
            unverified: rivals(by, MAX_CONTRADICTIONS),
          })
          .from(named(seqs))
          .crossJoinLateral(byNumber(scope))
          .where(isNull(records.forgottenAt))
        return rows.flatMap(({ seq, verified, unverified }): Conflict[] => [
          ...verified.map((rival) => ({ verified: rival, other: seq })),
          ...unverified.map((rival) => ({ verified: seq, other: rival })),
        ])
      }),
    listConflictsSlice: async ({ visible, beforeSeq, examine = EXAMINED_ROWS }) => {
      const rows = await run(({ db }) =>
        db
          .select({ seq: records.seq, audience: records.audience, rivals: rivals(isListed, MAX_RIVALS) })
          .from(records)
          .where(
            and(
              isOf(records, scope),
              // Not a parameter: a plan for any status could not use the index of the few that are not unverified.
              sql`${records.status} = 'verified'`,
              isNull(records.forgottenAt),
              beforeSeq === undefined ? undefined : lt(records.seq, beforeSeq),
            ),
          )
          .orderBy(desc(records.seq))
          .limit(examine),
      )
      const seen = rows.filter(({ audience }) => visible?.includes(audience) ?? true)
      const conflicts = seen.flatMap(({ seq, rivals }) => rivals.map((rival): Conflict => ({ verified: seq, other: rival })))
      return { conflicts, next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
