import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../project.ts'
import type { ListPart, RecordFilter, SavedPlace, StoredRecord } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, IS_IN_PLACE, PASSES, toFilterParams } from './filter.ts'
import { createLookUp } from './look-up.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'

/** Rows of the index by last save, some of one millisecond and then earlier ones: by both of its columns at once SQLite would not search it. */
const inOrder = (condition: string, order: string) => `select * from (
  select seq as named, saved_at, workspace_id, audience from records indexed by records_by_saved
    where forgotten_at is null and ${condition} order by ${order} limit $examine)`

/** The `$examine` positions after (`$savedAt`, `$seq`). */
const SLICE = `(select * from (${inOrder('saved_at = $savedAt and seq < $seq', 'seq desc')}
  union all ${inOrder('saved_at < $savedAt', 'saved_at desc, seq desc')}) limit $examine)`

const PASSING = `from ${SLICE} as place cross join records as record on record.seq = place.named where ${IS_IN_PLACE} and ${PASSES}`

const BY_SEQ = `select ${RECORD} from (select key as place, value from json_each($seqs)) as named cross join records on seq = named.value order by place`

type Slice = SavedPlace & { examine: number }

/** Positions in the first slice that a list looks through, and bounds of the later ones. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 14
/** A slice that took longer, in milliseconds, is followed by one of half as many positions, and else by one of twice as many. */
const SLICE_MS = 3
/** Records read at once: with the longest contents some 1 MB. */
const BATCH_RECORDS = 16
/** Positions that `selectLatest` looks through at most. */
const MAX_EXAMINED = 1 << 16

const NEVER = Number.MAX_SAFE_INTEGER

type Part<Row> = { rows: Row[]; skip: number; next: SavedPlace | null }
type ReadSlice<Row> = (slice: Slice, skip: number) => Part<Row>

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(client: Connection): Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest'> {
  const last = client.statement<SavedPlace, [Slice]>(
    `select saved_at as savedAt, named as seq from ${SLICE} as place limit 1 offset $examine - 1`,
  )
  const count = client.statement<{ n: number }, [FilterParams]>(`select count(*) as n ${PASSING}`)
  const places = client.statement<SavedPlace, [FilterParams]>(`select place.named as seq, place.saved_at as savedAt ${PASSING}`)
  // The slice is read in its order: a sort would read all of it before the first row is known to pass.
  const list = client.statement<RecordRow, [FilterParams]>(
    `select ${RECORD} from (select place.named, place.saved_at ${PASSING} limit $room offset $skip) as passing
      cross join records on seq = passing.named order by passing.saved_at desc, seq desc`,
  )
  const bySeq = client.statement<RecordRow, [FilterParams]>(BY_SEQ)
  const lookUp = createLookUp(client)

  /** Reads slices of the list until `isEnough`. The time that each takes decides how long the next is. */
  async function readSlices<Row>(filter: RecordFilter, part: Partial<ListPart>, read: ReadSlice<Row>, isEnough: (rows: Row[]) => boolean) {
    const { savedFrom = 0, savedUntil = NEVER } = filter
    const { before, offset = 0 } = part
    const found: Row[] = []
    let start: SavedPlace | null = before !== undefined && before.savedAt <= savedUntil ? before : { savedAt: savedUntil, seq: NEVER }
    for (let [examine, skip] = [FIRST_SLICE, offset]; start !== null && start.savedAt >= savedFrom && !isEnough(found); ) {
      await yieldIfDue()
      const began = performance.now()
      const { rows, ...rest }: Part<Row> = read({ ...start, examine }, skip)
      found.push(...rows)
      start = rest.next
      skip = rest.skip
      examine = performance.now() - began > SLICE_MS ? Math.max(MIN_SLICE, examine / 2) : Math.min(MAX_SLICE, examine * 2)
    }
    return { found, isComplete: start === null || start.savedAt < savedFrom }
  }

  /** Of the records of a slice that pass, those after the first `skip`, as many as are read at once. */
  function readBatch(filter: FilterParams, slice: Slice, skip: number): Part<RecordRow> {
    const passed = skip === 0 ? NEVER : (count.get({ ...filter, ...slice })?.n ?? 0)
    if (passed <= skip) return { rows: [], skip: skip - passed, next: last.get(slice) }
    const rows = list.all({ ...filter, ...slice, skip, room: BATCH_RECORDS })
    const row = rows.at(-1)
    return { rows, skip: 0, next: row === undefined || rows.length < BATCH_RECORDS ? last.get(slice) : toPlace(row) }
  }

  async function readPlaces(looked: SavedPlace[], { before, offset = 0, limit }: ListPart): Promise<StoredRecord[]> {
    const after = before === undefined ? looked : looked.filter((place) => byLatest(before, place) < 0)
    const wanted = after.slice(offset, offset + limit)
    const found: StoredRecord[] = []
    for (let at = 0; at < wanted.length; at += BATCH_RECORDS) {
      await yieldIfDue()
      const seqs = JSON.stringify(wanted.slice(at, at + BATCH_RECORDS).map(({ seq }) => seq))
      found.push(...bySeq.all({ seqs }).map(toRecord))
    }
    return found
  }

  return {
    filterRecords: async (filter, seqs) => lookUp.filter(filter, seqs).map(({ seq }) => seq),
    listLatest: async (filter, part) => {
      const looked = await lookUp.find(filter)
      if (looked !== undefined) return readPlaces(looked.sort(byLatest), part)
      const params = toFilterParams(filter)
      const read: ReadSlice<RecordRow> = (slice, skip) => readBatch(params, slice, skip)
      const { found } = await readSlices(filter, part, read, (rows) => rows.length >= part.limit)
      return found.slice(0, part.limit).map(toRecord)
    },
    selectLatest: async (filter, most) => {
      const looked = await lookUp.find(filter)
      if (looked !== undefined) return { seqs: toSeqs(looked.sort(byLatest), most), isComplete: looked.length <= most }
      const params = toFilterParams(filter)
      let examined = 0
      const read: ReadSlice<SavedPlace> = (slice) => {
        examined += slice.examine
        return { rows: places.all({ ...params, ...slice }), skip: 0, next: last.get(slice) }
      }
      const { found, isComplete } = await readSlices(filter, {}, read, (rows) => rows.length > most || examined >= MAX_EXAMINED)
      if (found.length <= most && !isComplete) return undefined
      return { seqs: toSeqs(found, most), isComplete: found.length <= most }
    },
  }
}

const toPlace = ({ seq, createdAt, refreshedAt }: RecordRow): SavedPlace => ({ seq, savedAt: refreshedAt ?? createdAt })
const byLatest = (a: SavedPlace, b: SavedPlace) => b.savedAt - a.savedAt || b.seq - a.seq
const toSeqs = (places: SavedPlace[], most: number) => places.slice(0, most).map(({ seq }) => seq)
