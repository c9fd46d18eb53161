import { yieldIfDue } from '../../../cooperative.ts'
import type { ListPart, RecordFilter, SavedPlace } from '../../record-lists.ts'
import type { Connection } from '../connection.ts'
import { IS_IN_PLACE, PASSES } from './filter.ts'

const BY_SAVED = 'from records indexed by records_by_saved where forgotten_at is null'

/** The direction in which a list is read: from the last save to earlier ones, or back. */
export type Way = 'down' | 'up'

/**
 * Rows of the index by last save: those of one millisecond, then those beyond, since SQLite would not use the index for a comparison of both of its columns
 * at once.
 */
function rowsOf(way: Way) {
  const [after, order] = way === 'down' ? ['<', 'desc'] : ['>', 'asc']
  return {
    ofMoment: `${BY_SAVED} and saved_at = $savedAt and seq ${after} $seq`,
    momentOrder: `seq ${order}`,
    further: `${BY_SAVED} and saved_at ${after} $savedAt`,
    order: `saved_at ${order}, seq ${order}`,
  }
}

const inOrder = (rows: string, order: string) => `select * from (
  select seq as named, saved_at, workspace_id, audience, status, author_id, expires_at ${rows} order by ${order} limit $examine)`

/** The `$examine` positions after (`$savedAt`, `$seq`). */
function toSlice(way: Way): string {
  const { ofMoment, momentOrder, further, order } = rowsOf(way)
  return `(select * from (${inOrder(ofMoment, momentOrder)} union all ${inOrder(further, order)}) limit $examine)`
}

/** The rows of a slice that pass the conditions that the index can decide; and those that pass the whole filter. */
export const inPlaceOf = (way: Way) => `from ${toSlice(way)} as place where ${IS_IN_PLACE}`
export const passingOf = (way: Way) =>
  `from ${toSlice(way)} as place cross join records as record on record.seq = place.named where ${IS_IN_PLACE} and ${PASSES}`

/** A slice begins after a position. */
export type Slice = SavedPlace & { examine: number }

/** Number of positions in the first slice of a list, and bounds for further slices. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 14
/** Target duration of a slice: if one takes longer, the next has half as many positions, otherwise twice as many. */
const SLICE_MS = 3
const NEVER = Number.MAX_SAFE_INTEGER

export type Part<Row> = { rows: Row[]; skip: number; next: SavedPlace | null }
export type ReadSlice<Row> = (slice: Slice, skip: number) => Part<Row>

/** Reads of the records that are not forgotten, in order of their last save, in slices that yield to other work. */
export function createSavedSlices(client: Connection, way: Way) {
  const { ofMoment, momentOrder, further, order } = rowsOf(way)
  const same = client.statement<{ n: number }, [Slice]>(`select count(*) as n from (select 1 ${ofMoment} limit $examine)`)
  const lastOfMoment = client.statement<SavedPlace, [Slice]>(
    `select saved_at as savedAt, seq ${ofMoment} order by ${momentOrder} limit 1 offset $examine - 1`,
  )
  const lastOfFurther = client.statement<SavedPlace, [Omit<Slice, 'seq'> & { same: number }]>(
    `select saved_at as savedAt, seq ${further} order by ${order} limit 1 offset $examine - $same - 1`,
  )

  /** The last position of a slice; null if the list ends within it. */
  function findLast(slice: Slice): SavedPlace | null {
    const { n } = same.get(slice) ?? { n: 0 }
    return n === slice.examine ? lastOfMoment.get(slice) : lastOfFurther.get({ savedAt: slice.savedAt, examine: slice.examine, same: n })
  }

  /** Reads slices of the list until `isEnough`. The duration of each determines the size of the next. */
  async function readSlices<Row>(filter: RecordFilter, part: Partial<ListPart>, read: ReadSlice<Row>, isEnough: (rows: Row[]) => boolean) {
    const { savedFrom = 0, savedUntil = NEVER } = filter
    const isWithin = ({ savedAt }: SavedPlace) => (way === 'down' ? savedAt >= savedFrom : savedAt <= savedUntil)
    const found: Row[] = []
    let start: SavedPlace | null = findStart({ savedFrom, savedUntil }, part)
    for (let [examine, skip] = [FIRST_SLICE, part.offset ?? 0]; start !== null && isWithin(start) && !isEnough(found); ) {
      await yieldIfDue()
      const began = performance.now()
      const { rows, ...rest }: Part<Row> = read({ ...start, examine }, skip)
      found.push(...rows)
      start = rest.next
      skip = rest.skip
      examine = performance.now() - began > SLICE_MS ? Math.max(MIN_SLICE, examine / 2) : Math.min(MAX_SLICE, examine * 2)
    }
    return { found, isComplete: start === null || !isWithin(start) }
  }

  /** The position after which the first slice begins: never outside the requested period. */
  function findStart(
    { savedFrom, savedUntil }: { savedFrom: number; savedUntil: number },
    { before, after }: Partial<ListPart>,
  ): SavedPlace {
    if (way === 'up') return after !== undefined && after.savedAt >= savedFrom ? after : { savedAt: savedFrom, seq: -1 }
    return before !== undefined && before.savedAt <= savedUntil ? before : { savedAt: savedUntil, seq: NEVER }
  }

  return { readSlices, findLast }
}
