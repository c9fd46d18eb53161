import { and, desc, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { toComparableKey } from '../../../text/comparable.ts'
import type { Conflict, CurrentStatus, Fact, Rank, RecordHead } from '../../record.ts'
import type { RecordReads } from '../../record-verbs.ts'
import { toContentHash } from '../../save-hash.ts'
import { records } from '../schema/project.ts'
import { byNumber, HEAD, named, RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

type RivalReads = Pick<RecordReads, 'listRivals' | 'listRivalsOfEach' | 'countRivals' | 'findLater' | 'listVersions'>

const BY_RANK = [desc(records.rankedAt), desc(records.seq)]

/** Rivals of a record. */
export function createRivals(scope: Scope): RivalReads {
  const { run } = scope
  const ofKey = ({ workspaceId, factKey, audience }: Omit<Fact, 'content'>) =>
    and(
      isOf(records, scope),
      eq(records.comparedKey, toComparableKey(factKey)),
      eq(records.workspaceId, workspaceId),
      eq(records.audience, audience),
    )
  const ofFact = (fact: Fact) => and(ofKey(fact), isNull(records.forgottenAt), ne(records.contentHash, toContentHash(fact.content)))
  const listRivals: RivalReads['listRivals'] = (fact, { status, before, limit }) =>
    run(({ db }) =>
      db
        .select(HEAD)
        .from(records)
        .where(and(ofFact(fact), eq(records.status, status), before && isBefore(before)))
        .orderBy(...BY_RANK)
        .limit(limit),
    )

  async function listOfStatuses(fact: Fact, statuses: CurrentStatus[], limit: number): Promise<RecordHead[]> {
    const found: RecordHead[] = []
    for (const status of statuses) {
      if (found.length < limit) found.push(...(await listRivals(fact, { status, limit: limit - found.length })))
    }
    return found
  }

  return {
    listRivals,
    listRivalsOfEach: async (facts, { statuses, limit }) => {
      const found: RecordHead[][] = []
      for (const fact of facts) found.push(fact.factKeyGiven ? await listOfStatuses(fact, statuses, limit) : [])
      return found
    },
    countRivals: (fact, status, most) =>
      run(
        async ({ db }) =>
          (
            await db
              .select({ one: sql`1` })
              .from(records)
              .where(and(ofFact(fact), eq(records.status, status)))
              .limit(most)
          ).length,
      ),
    listVersions: (fact, limit) =>
      run(async ({ db }) => {
        const ofGivenKey = and(ofKey(fact), records.factKeyGiven)
        const list = (isWanted: SQL, order: SQL[]) =>
          db
            .select(RECORD)
            .from(records)
            .where(and(ofGivenKey, isWanted))
            .orderBy(...order)
            .limit(limit)
        const live = await list(isNull(records.forgottenAt), BY_RANK)
        return [...live, ...(await list(isNotNull(records.forgottenAt), [desc(records.forgottenAt), desc(records.seq)]))]
      }),
    findLater: (fact, { after, isVerified }) =>
      run(async ({ db }) => {
        const found = await db
          .select(HEAD)
          .from(records)
          .where(
            and(
              ofFact(fact),
              records.factKeyGiven,
              sql`(${records.rankedAt}, ${records.seq}) > (${after.at}::bigint, ${after.seq}::bigint)`,
              isVerified ? isNotNull(records.verifiedAt) : undefined,
            ),
          )
          .orderBy(...BY_RANK)
          .limit(1)
        return found[0]
      }),
  }
}

const isBefore = ({ at, seq }: Rank): SQL => sql`(${records.rankedAt}, ${records.seq}) < (${at}::bigint, ${seq}::bigint)`

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
    eq(other.comparedKey, records.comparedKey),
    eq(other.workspaceId, records.workspaceId),
    eq(other.audience, records.audience),
    isNull(other.forgottenAt),
    ne(other.contentHash, records.contentHash),
  )
  // Records are looked up in the order of the key, and rivals in that of the index by fact key: the planner takes these, whatever it knows of the table.
  function rivals(condition: SQL | undefined, limit: number): SQL<number[]> {
    const found = sql`select ${other.seq} from ${records} as other where ${and(isRival, condition)}
      order by ${other.status}, ${other.rankedAt}, ${other.seq} limit ${limit}`
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
