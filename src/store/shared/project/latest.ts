import type { ProjectReads } from '../../project.ts'
import type { StoredRecord } from '../../record.ts'
import type { ListPart, RecordFilter, SavedPlace } from '../../record-lists.ts'
import type { DayCount } from '../../statistics.ts'
import { toFilterText } from './filter.ts'
import { createIndexCount, createLookUp } from './look-up.ts'
import { MAX_SEQ, type ProjectSql, type ProjectTables, toRangeParams, toRanges, unionOf } from './sql.ts'

type Verbs = Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest' | 'countLatest' | 'countByDay'>

/** Maximum number of positions that `selectLatest` examines. */
const MAX_EXAMINED = 1 << 16
/** Records filtered at once, which takes about 8 ms with the longest contents. */
const FILTERED_RECORDS = 256
const NEVER = Number.MAX_SAFE_INTEGER

/** What a slice has of a record that passes, or of several of a day. */
type Row = SavedPlace & Pick<DayCount, 'status' | 'authorId' | 'records'>

/** What is read of the records that pass: columns, and what they are grouped by. */
const READINGS = {
  each: ['seq, saved_at as "savedAt", status, author_id as "authorId", 1 as records', ''],
  'by day': [
    `0 as seq, saved_at / 86400000 as "savedAt", status, author_id as "authorId", cast(count(*) as integer) as records`,
    'group by 2, 3, 4',
  ],
} as const
type Reading = keyof typeof READINGS

const byLatest = (a: SavedPlace, b: SavedPlace) => b.savedAt - a.savedAt || b.seq - a.seq
const byEarliest = (a: SavedPlace, b: SavedPlace) => byLatest(b, a)

const ORDER = ['saved_at']
const toPlace = ({ savedAt, seq }: SavedPlace) => ({ saved_at: savedAt, seq })

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(sql: ProjectSql, { records }: ProjectTables): Verbs {
  const { all, allOnce, own, by, numbers, joinRecord, inTurn, inBatches, sizeOfSlice, record } = sql
  const columns = { savedAt: records.savedAt }
  const findFew = createLookUp(sql)
  const countIndexed = createIndexCount(sql, records)
  const bySaved = `from records ${by('records_by_saved')} where ${own()} and forgotten_at is null`

  /**
   * Reads of the next positions within the filter's period the records that pass, and the last position unless the
   * list ends before.
   */
  function toSlice(
    { savedFrom = 0, savedUntil = NEVER, ...filter }: RecordFilter,
    way: 'up' | 'down',
    reading: Reading,
  ) {
    const { condition, params } = toFilterText(sql, filter)
    const behind = way === 'down' ? { saved_at: savedFrom - 1, seq: MAX_SEQ } : { saved_at: savedUntil + 1, seq: 0 }
    const [fields, group] = READINGS[reading]
    const [beyond, direction, order] =
      way === 'down' ? (['<', 'desc', byLatest] as const) : (['>', 'asc', byEarliest] as const)
    const findEnd = `select saved_at as "savedAt", seq ${bySaved} and (saved_at, seq) ${beyond} ($saved_at, $seq)
      order by saved_at ${direction}, seq ${direction} limit 1 offset $examine - 1`
    return async (from: SavedPlace, examine: number) => {
      const place = toPlace(from)
      const [found] = await all<SavedPlace>(findEnd, { ...place, examine }, columns)
      const isWithin = found !== undefined && found.savedAt >= savedFrom && found.savedAt <= savedUntil
      const last = isWithin ? found : undefined
      const end = last === undefined ? behind : toPlace(last)
      const lists = toRanges(ORDER, place, end, way).map(
        (range) => `select ${fields} ${bySaved} and ${range} and ${condition} ${group}`,
      )
      const rows = await allOnce<Row>(unionOf(lists), { ...params, ...toRangeParams(place, end) }, columns)
      return { rows: reading === 'each' ? rows.sort(order) : rows, last }
    }
  }

  /** Where the first slice begins: never outside of the period that is asked for. */
  function findStart(
    { savedFrom = 0, savedUntil = NEVER }: RecordFilter,
    { before, after }: Partial<ListPart>,
  ): SavedPlace {
    if (after !== undefined) return after.savedAt >= savedFrom ? after : { savedAt: savedFrom, seq: 0 }
    return before !== undefined && before.savedAt <= savedUntil ? before : { savedAt: savedUntil, seq: MAX_SEQ }
  }

  /** Examines the list slice by slice until `isEnough`, yielding to other work. */
  async function scan(
    filter: RecordFilter,
    part: Partial<ListPart>,
    isEnough: (found: Row[], examined: number) => boolean,
    reading: Reading = 'each',
  ) {
    const { savedFrom = 0, savedUntil = NEVER } = filter
    const way = part.after === undefined ? 'down' : 'up'
    const read = inTurn(toSlice(filter, way, reading))
    const found: Row[] = []
    const start = findStart(filter, part)
    let place = start.savedAt >= savedFrom && start.savedAt <= savedUntil ? start : undefined
    for (let [size, examined] = [sizeOfSlice(), 0]; place !== undefined && !isEnough(found, examined); ) {
      const began = performance.now()
      const { rows, last } = await read(place, size)
      place = last
      for (const row of rows) found.push(row)
      examined += size
      size = sizeOfSlice({ size, ms: performance.now() - began })
    }
    return { found, isComplete: place === undefined }
  }

  async function filterPlaces(filter: RecordFilter, seqs: number[]): Promise<SavedPlace[]> {
    const { condition, params } = toFilterText(sql, filter)
    const text = `select records.seq, records.saved_at as "savedAt" from ${numbers('seqs')} as named ${joinRecord('named.number')}
      where records.forgotten_at is null and ${condition}`
    return inBatches(seqs, FILTERED_RECORDS, (batch) => allOnce<SavedPlace>(text, { ...params, seqs: batch }, columns))
  }

  /** The passing records of a filter with an index that leads to few, in order. */
  async function lookUp(filter: RecordFilter, order = byLatest): Promise<SavedPlace[] | undefined> {
    const few = filter.authors?.length === 0 ? [] : await findFew(filter)
    return few && (await filterPlaces(filter, few)).sort(order)
  }

  async function readInOrder(places: SavedPlace[]): Promise<StoredRecord[]> {
    const text = `select ${record.whole} from ${numbers('seqs')} as named ${joinRecord('named.number')} where forgotten_at is null`
    const seqs = places.map(({ seq }) => seq)
    const found = await inBatches(seqs, BATCH_RECORDS, (batch) =>
      all<StoredRecord>(text, { seqs: batch }, record.columns),
    )
    const bySeq = new Map(found.map((one) => [one.seq, one]))
    return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
  }

  const selectLatest: Verbs['selectLatest'] = async (filter, most) => {
    const isNaming = filter.named !== undefined || filter.sourceId !== undefined || filter.factKey !== undefined
    const looked = await lookUp(filter)
    const isEnough = (found: Row[], examined: number) => found.length > most || (!isNaming && examined >= MAX_EXAMINED)
    const { found, isComplete } =
      looked === undefined ? await scan(filter, {}, isEnough) : { found: looked, isComplete: true }
    if (found.length <= most && !isComplete) return undefined
    return { seqs: found.slice(0, most).map(({ seq }) => seq), isComplete: found.length <= most }
  }

  return {
    filterRecords: async (filter, seqs) => (await filterPlaces(filter, seqs)).map(({ seq }) => seq),
    listLatest: async (filter, part) => {
      const { before, after, offset = 0, limit } = part
      const isWithin = (place: SavedPlace) =>
        after === undefined ? before === undefined || byLatest(before, place) < 0 : byLatest(place, after) < 0
      const looked = await lookUp(filter, after === undefined ? byLatest : byEarliest)
      const places =
        looked?.filter(isWithin) ?? (await scan(filter, part, ({ length }) => length >= offset + limit)).found
      const wanted = places.slice(offset, offset + limit)
      return readInOrder(after === undefined ? wanted : wanted.reverse())
    },
    selectLatest,
    countLatest: async (filter, most) => {
      const looked = await lookUp(filter)
      if (looked !== undefined) return { count: looked.length, isComplete: true }
      if (!toFilterText(sql, filter).isIndexed) {
        const selected = await selectLatest(filter, most)
        return selected && { count: selected.seqs.length, isComplete: selected.isComplete }
      }
      return countIndexed(filter)
    },
    countByDay: async (filter) => {
      const counts = new Map<string, DayCount>()
      for (const { savedAt: day, status, authorId, records } of (await scan(filter, {}, () => false, 'by day')).found) {
        const key = `${day} ${status} ${authorId}`
        counts.set(key, { day, status, authorId, records: records + (counts.get(key)?.records ?? 0) })
      }
      return [...counts.values()]
    },
  }
}

/** Records read at once: with the longest contents about 1 MB. */
const BATCH_RECORDS = 16
