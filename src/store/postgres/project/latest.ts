import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import type { ProjectReads } from '../../project.ts'
import type { RecordFilter, SavedPlace } from '../../record-lists.ts'
import { records } from '../schema/project.ts'
import { isInPlace, isNaming, passes } from './filter.ts'
import { byNumber, named, RECORD } from './record-row.ts'
import { isOf, type Scope } from './scope.ts'

/** Positions of the list that `selectLatest` looks through at most, and those of which it tries whether they are enough. */
const MAX_EXAMINED = 1 << 16
const FIRST_EXAMINED = 1 << 10

const ORDER = [desc(records.savedAt), desc(records.seq)]
const BACK = [asc(records.savedAt), asc(records.seq)]

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(scope: Scope): Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest'> {
  const { run } = scope
  const condition = (filter: RecordFilter) => and(isInPlace(scope, filter), passes(scope, filter))
  const selectSeqs = (where: SQL | undefined, limit: number) =>
    run(async ({ db }) => {
      const found = await db
        .select({ seq: records.seq })
        .from(records)
        .where(where)
        .orderBy(...ORDER)
        .limit(limit)
      return found.map(({ seq }) => seq)
    })

  /** Those that pass among the newest that are in place. */
  function ofNewest(filter: RecordFilter, limit: number): SQL | undefined {
    const newest = sql`(select seq from ${records} where ${isInPlace(scope, filter)} order by saved_at desc, seq desc limit ${limit})`
    return and(isOf(records, scope), sql`${records.seq} in ${newest}`, passes(scope, filter))
  }

  /** Whether so few records are in place that the list can be looked through to its end. */
  async function isExaminable(filter: RecordFilter): Promise<boolean> {
    const [last] = await run(({ db }) =>
      db
        .select({ seq: records.seq })
        .from(records)
        .where(isInPlace(scope, filter))
        .orderBy(...ORDER)
        .limit(1)
        .offset(MAX_EXAMINED),
    )
    return last === undefined
  }

  return {
    filterRecords: (filter, seqs) =>
      run(async ({ db }) => {
        const found = await db.select({ seq: records.seq }).from(named(seqs)).crossJoinLateral(byNumber(scope)).where(condition(filter))
        return found.map(({ seq }) => seq)
      }),
    listLatest: async (filter, { before, after, offset = 0, limit }) => {
      const found = await run(({ db }) =>
        db
          .select(RECORD)
          .from(records)
          .where(and(condition(filter), before && isBefore(before), after && isAfter(after)))
          .orderBy(...(after === undefined ? ORDER : BACK))
          .limit(limit)
          .offset(offset),
      )
      return after === undefined ? found : found.reverse()
    },
    selectLatest: async (filter, most) => {
      if (filter.authors?.length === 0) return { seqs: [], isComplete: true }
      const first = isNaming(filter) ? [] : await selectSeqs(ofNewest(filter, FIRST_EXAMINED), most + 1)
      if (first.length > most) return { seqs: first.slice(0, most), isComplete: false }
      if (isNaming(filter) || (await isExaminable(filter))) {
        const seqs = await selectSeqs(condition(filter), most + 1)
        return { seqs: seqs.slice(0, most), isComplete: seqs.length <= most }
      }
      const seqs = await selectSeqs(ofNewest(filter, MAX_EXAMINED), most + 1)
      return seqs.length > most ? { seqs: seqs.slice(0, most), isComplete: false } : undefined
    },
  }
}

const isBefore = ({ savedAt, seq }: SavedPlace): SQL => sql`(${records.savedAt}, ${records.seq}) < (${savedAt}::bigint, ${seq}::bigint)`
const isAfter = ({ savedAt, seq }: SavedPlace): SQL => sql`(${records.savedAt}, ${records.seq}) > (${savedAt}::bigint, ${seq}::bigint)`
