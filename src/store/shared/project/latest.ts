import type { ProjectReads } from '../../project.ts'
import type { StoredRecord } from '../../record.ts'
import type { ListPart, RecordFilter, SavedPlace } from '../../record-lists.ts'
import type { DayCount } from '../../statistics.ts'
import { toFilterText } from './filter.ts'
import { createLookUp } from './look-up.ts'
import { MAX_SEQ, type ProjectSql, toPage } from './sql.ts'
import type { ProjectTables } from './tables.ts'

type Verbs = Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest' | 'countByDay'>

/** Maximum number of positions that `selectLatest` examines. */
const MAX_EXAMINED = 1 << 16
/** Records filtered at once, which takes about 8 ms with the longest contents. */
const FILTERED_RECORDS = 256
const NEVER = Number.MAX_SAFE_INTEGER

/** What a slice has of a record that passes or of several; the last position of the slice is a row with no records. */
type Row = SavedPlace & Pick<DayCount, 'status' | 'authorId' | 'records'>

const EACH = 'place.seq, place.saved_at as "savedAt", place.status, place.author_id as "authorId", 1 as records'
const BY_DAY = `0 as seq, place.saved_at / 86400000 as "savedAt", place.status, place.author_id as "authorId", cast(count(*) as integer) as records`

const byLatest = (a: SavedPlace, b: SavedPlace) => b.savedAt - a.savedAt || b.seq - a.seq

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(sql: ProjectSql, { records }: ProjectTables): Verbs {
  const { all, allOnce, own, by, numbers, joinRecord, inTurn, inBatches, sizeOfSlice, record } = sql
  const columns = { savedAt: records.savedAt }
  const findFew = createLookUp(sql)
  const bySaved = `from records ${by('records_by_saved')} where ${own()} and forgotten_at is null`

  /** The records that pass of the next positions, and the last of these. */
  function toSlice(filter: RecordFilter, way: 'up' | 'down', counts: 'each' | 'by day') {
    const { inPlace, passes, params } = toFilterText(sql, filter)
    const page = toPage(
      bySaved,
      'saved_at, seq, workspace_id, audience, status, author_id, expires_at',
      ['saved_at'],
      way,
    )
    const [list, order] = way === 'down' ? ['desc', 'asc'] : ['asc', 'desc']
    const text = `with place as materialized ${page}
      select * from (select ${counts === 'each' ? EACH : BY_DAY} from place ${passes === undefined ? '' : joinRecord('place.seq')}
        where ${inPlace} and ${passes ?? 'true'}
        ${counts === 'each' ? `order by place.saved_at ${list}, place.seq ${list}` : 'group by 2, 3, 4'}) as passing
      union all select * from (select seq, saved_at, status, author_id, 0 from place order by saved_at ${order}, seq ${order} limit 1) as last`
    return (place: SavedPlace, examine: number) =>
      allOnce<Row>(text, { ...params, saved_at: place.savedAt, seq: place.seq, examine }, columns)
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
    counts: 'each' | 'by day' = 'each',
  ) {
    const { savedFrom = 0, savedUntil = NEVER } = filter
    const way = part.after === undefined ? 'down' : 'up'
    const isWithin = ({ savedAt }: SavedPlace) => (way === 'down' ? savedAt >= savedFrom : savedAt <= savedUntil)
    const read = inTurn(toSlice(filter, way, counts))
    const found: Row[] = []
    let place: SavedPlace | undefined = findStart(filter, part)
    for (
      let [size, examined] = [sizeOfSlice(), 0];
      place !== undefined && isWithin(place) && !isEnough(found, examined);
    ) {
      const began = performance.now()
      const rows = await read(place, size)
      place = rows.pop()
      for (const row of rows) found.push(row)
      examined += size
      size = sizeOfSlice({ size, ms: performance.now() - began })
    }
    return { found, isComplete: place === undefined || !isWithin(place) }
  }

  async function filterPlaces(filter: RecordFilter, seqs: number[]): Promise<SavedPlace[]> {
    const { inPlace, passes = 'true', params } = toFilterText(sql, filter)
    const text = `select records.seq, records.saved_at as "savedAt" from ${numbers('seqs')} as named ${joinRecord('named.number')}
      where records.forgotten_at is null and ${inPlace.replaceAll('place.', 'records.')} and ${passes}`
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

  return {
    filterRecords: async (filter, seqs) => (await filterPlaces(filter, seqs)).map(({ seq }) => seq),
    listLatest: async (filter, part) => {
      const { before, after, offset = 0, limit } = part
      const isWithin = (place: SavedPlace) =>
        after === undefined ? before === undefined || byLatest(before, place) < 0 : byLatest(place, after) < 0
      const looked = await lookUp(filter, after === undefined ? byLatest : (a, b) => byLatest(b, a))
      const places =
        looked?.filter(isWithin) ?? (await scan(filter, part, ({ length }) => length >= offset + limit)).found
      const wanted = places.slice(offset, offset + limit)
      return readInOrder(after === undefined ? wanted : wanted.reverse())
    },
    selectLatest: async (filter, most) => {
      const isNaming = filter.named !== undefined || filter.sourceId !== undefined || filter.factKey !== undefined
      const looked = await lookUp(filter)
      const isEnough = (found: Row[], examined: number) =>
        found.length > most || (!isNaming && examined >= MAX_EXAMINED)
      const { found, isComplete } =
        looked === undefined ? await scan(filter, {}, isEnough) : { found: looked, isComplete: true }
      if (found.length <= most && !isComplete) return undefined
      return { seqs: found.slice(0, most).map(({ seq }) => seq), isComplete: found.length <= most }
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
