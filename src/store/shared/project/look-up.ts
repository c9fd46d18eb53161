import type { RecordCount, RecordFilter } from '../../record-lists.ts'
import { toKeyHash } from '../../save-hash.ts'
import { toFilterText, toNameParams, toSourceName } from './filter.ts'
import { type Params, type ProjectSql, type ProjectTables, unionOf } from './sql.ts'

/** Maximum number of records that are looked up by an index instead of scanning all in order of their last save. */
const MAX_FEW = 2_048

/**
 * Returns a function that finds the numbers of the records among which those of a selective filter are: one that names
 * a source, fact key or record, or restricts to a small workspace or to few expiring records. Undefined for another
 * filter, or if they are many.
 */
export function createLookUp({ all, own, by }: ProjectSql): (filter: RecordFilter) => Promise<number[] | undefined> {
  const from = (index: string, condition: string) =>
    `select seq from records ${by(index)} where ${own()} and forgotten_at is null and ${condition} limit ${MAX_FEW + 1}`
  const bySource = from('records_by_source_name', 'source_id is not null and source_name = $namedSource')
  const byKey = from('records_by_key', 'key_hash = $namedHash')
  const byId = `select seq from records where ${own()} and id = $namedId`
  const byExpiry = from('records_by_expiry', 'expires_at is not null and expires_at > $after and expires_at <= $until')
  const ofWorkspace = from('records_by_workspace', 'workspace_id = $workspaceId')
  const byKeyOfWorkspace = from('records_by_key', 'key_hash = $namedHash and workspace_id = $workspaceId')

  function toLists({
    named,
    sourceId,
    factKey,
    workspaceId,
    expiresAfter,
    expiresUntil,
  }: RecordFilter): [lists: string[], params: Params] {
    const keyed = workspaceId === undefined ? byKey : byKeyOfWorkspace
    const place: Params = workspaceId === undefined ? {} : { workspaceId }
    if (sourceId !== undefined) return [[bySource], { namedSource: toSourceName(sourceId) }]
    if (factKey !== undefined) return [[keyed], { namedHash: toKeyHash(factKey), ...place }]
    if (named !== undefined) {
      const { namedEnd: _namedEnd, ...params } = toNameParams(named)
      return [[bySource, keyed, byId], { ...params, ...place }]
    }
    if (expiresAfter !== undefined && expiresUntil !== undefined)
      return [[byExpiry], { after: expiresAfter, until: expiresUntil }]
    return workspaceId === undefined ? [[], {}] : [[ofWorkspace], place]
  }

  return async (filter) => {
    const [lists, params] = toLists(filter)
    if (lists.length === 0) return undefined
    const found = await all<{ seq: number }>(unionOf(lists), params)
    return found.length > MAX_FEW ? undefined : [...new Set(found.map(({ seq }) => seq))]
  }
}

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
