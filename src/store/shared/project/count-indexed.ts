import type { RecordCount, RecordFilter } from '../../record-lists.ts'
import { toFilterText } from './filter.ts'
import type { ProjectSql } from './sql.ts'
import type { ProjectTables } from './tables.ts'

/** Entries of the index that are counted at once, roughly, which takes 2 ms, and how many times. */
const COUNTED_ENTRIES = 1 << 14
const MAX_PARTS = 16
const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Returns a function that counts the records that pass a filter whose columns the index in order of the last save has:
 * by that index alone, the last saved first, yielding to other work.
 */
export function createIndexCount(
  sql: ProjectSql,
  records: ProjectTables['records'],
): (filter: RecordFilter) => Promise<RecordCount> {
  const { all, allOnce, own, by, numbers, inTurn } = sql
  const columns = { savedAt: records.savedAt }
  const bySaved = `from records ${by('records_by_saved')} where ${own()} and forgotten_at is null`

  /**
   * Times in a period, latest first, that divide its records in parts of about the same size: those of every 16 384th
   * record. The first ends the period, and the last is before it.
   */
  async function divide(savedFrom: number, savedUntil: number): Promise<number[]> {
    const [last] = await all<{ seq: number | null }>(`select max(seq) as seq from records where ${own()}`, {})
    const seqs = Array.from(
      { length: Math.floor((last?.seq ?? 0) / COUNTED_ENTRIES) },
      (_, at) => (at + 1) * COUNTED_ENTRIES,
    )
    const next = `select saved_at from records where ${own()} and seq >= number order by seq limit 1`
    const text = `select (${next}) as "savedAt" from ${numbers('seqs')} as chosen`
    const times = (await all<{ savedAt: number }>(text, { seqs }, columns)).map(({ savedAt }) => savedAt)
    const within = times.filter((time) => time >= savedFrom && time < savedUntil)
    return [savedUntil, ...[...new Set(within)].sort((a, b) => b - a), savedFrom - 1]
  }

  return async function countIndexed({
    savedFrom = 0,
    savedUntil = NEVER,
    ...filter
  }: RecordFilter): Promise<RecordCount> {
    const { condition, params } = toFilterText(sql, filter)
    const text = `select cast(count(*) as integer) as n ${bySaved} and saved_at > $after and saved_at <= $until and ${condition}`
    const read = inTurn((after: number, until: number) => allOnce<{ n: number }>(text, { ...params, after, until }))
    const [end = 0, ...starts] = await divide(savedFrom, savedUntil)
    let [count, until] = [0, end]
    for (const after of starts.slice(0, MAX_PARTS)) {
      count += (await read(after, until))[0]?.n ?? 0
      until = after
    }
    return { count, isComplete: starts.length <= MAX_PARTS }
  }
}
