import type { Database } from 'bun:sqlite'
import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../project.ts'
import type { ListPart, RecordFilter, SavedPlace, StoredRecord } from '../../record.ts'
import { type FilterParams, IS_IN_PLACE, PASSES, toFilterParams } from './filter.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'

/** Rows of the index by last save, some of one millisecond and then earlier ones: by both of its columns at once SQLite would not search it. */
const inOrder = (condition: string, order: string) => `select * from (
  select seq as named, saved_at, workspace_id, audience from records indexed by records_by_saved
    where forgotten_at is null and ${condition} order by ${order} limit $examine)`

/** The `$examine` positions after (`$savedAt`, `$seq`). */
const SLICE = `(select * from (${inOrder('saved_at = $savedAt and seq < $seq', 'seq desc')}
  union all ${inOrder('saved_at < $savedAt', 'saved_at desc, seq desc')}) limit $examine)`

const PASSING = `from ${SLICE} as place cross join records as record on record.seq = place.named where ${IS_IN_PLACE} and ${PASSES}`

const NAMED = `select record.seq from (select value from json_each($seqs)) as named cross join records as record on record.seq = named.value
  cross join records as place on place.seq = record.seq where ${IS_IN_PLACE} and ${PASSES}`

type Slice = SavedPlace & { examine: number }

/** Positions in the first slice that a list looks through, and bounds of the later ones. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 14
/** A slice that took longer, in milliseconds, is followed by one of half as many positions, and else by one of twice as many. */
const SLICE_MS = 3
/** Records read at once: with the longest contents some 1 MB. */
const BATCH_RECORDS = 16

const NEVER = Number.MAX_SAFE_INTEGER

type Part = { rows: RecordRow[]; skip: number; next: SavedPlace | null }

/** Records that pass a filter: of all, in order of their last save, and of some given ones. */
export function createFilteredReads(client: Database): Pick<ProjectReads, 'filterRecords' | 'listLatest'> {
  const last = client.prepare<SavedPlace, [Slice]>(
    `select saved_at as savedAt, named as seq from ${SLICE} as place limit 1 offset $examine - 1`,
  )
  const count = client.prepare<{ n: number }, [FilterParams]>(`select count(*) as n ${PASSING}`)
  // The slice is read in its order: a sort would read all of it before the first row is known to pass.
  const list = client.prepare<RecordRow, [FilterParams]>(
    `select ${RECORD} from (select place.named, place.saved_at ${PASSING} limit $room offset $skip) as passing
      cross join records on seq = passing.named order by passing.saved_at desc, seq desc`,
  )
  const passing = client.prepare<{ seq: number }, [FilterParams]>(NAMED)

  /** At most `room` records of a slice, after the first `skip` that pass. `next` is where the list goes on. */
  function readSlice(filter: FilterParams, slice: Slice, skip: number, room: number): Part {
    const passed = skip === 0 ? NEVER : (count.get({ ...filter, ...slice })?.n ?? 0)
    if (passed <= skip) return { rows: [], skip: skip - passed, next: last.get(slice) }
    const rows = list.all({ ...filter, ...slice, skip, room })
    const row = rows.at(-1)
    return { rows, skip: 0, next: row === undefined || rows.length < room ? last.get(slice) : toPlace(row) }
  }

  async function listLatest(filter: RecordFilter, { before, offset = 0, limit }: ListPart): Promise<StoredRecord[]> {
    const { savedFrom = 0, savedUntil = NEVER } = filter
    const params = toFilterParams(filter)
    const found: StoredRecord[] = []
    let start: SavedPlace | null = before !== undefined && before.savedAt <= savedUntil ? before : { savedAt: savedUntil, seq: NEVER }
    for (let [examine, skip] = [FIRST_SLICE, offset]; start !== null && start.savedAt >= savedFrom && found.length < limit; ) {
      await yieldIfDue()
      const began = performance.now()
      const part = readSlice(params, { ...start, examine }, skip, Math.min(BATCH_RECORDS, limit - found.length))
      found.push(...part.rows.map(toRecord))
      start = part.next
      skip = part.skip
      examine = performance.now() - began > SLICE_MS ? Math.max(MIN_SLICE, examine / 2) : Math.min(MAX_SLICE, examine * 2)
    }
    return found
  }

  return {
    listLatest,
    filterRecords: async (filter, seqs) => passing.all({ ...toFilterParams(filter), seqs: JSON.stringify(seqs) }).map(({ seq }) => seq),
  }
}

const toPlace = ({ seq, createdAt, refreshedAt }: RecordRow): SavedPlace => ({ seq, savedAt: refreshedAt ?? createdAt })
