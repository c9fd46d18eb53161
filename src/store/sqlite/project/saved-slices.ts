import { yieldIfDue } from '../../../cooperative.ts'
import type { ListPart, RecordFilter, SavedPlace } from '../../record.ts'
import type { Connection } from '../connection.ts'

const BY_SAVED = 'from records indexed by records_by_saved where forgotten_at is null'
/** Rows of the index by last save, some of one millisecond and then earlier ones: by both of its columns at once SQLite would not search it. */
const OF_MOMENT = `${BY_SAVED} and saved_at = $savedAt and seq < $seq`
const EARLIER = `${BY_SAVED} and saved_at < $savedAt`

const inOrder = (rows: string, order: string) => `select * from (
  select seq as named, saved_at, workspace_id, audience, status, author_id, expires_at ${rows} order by ${order} limit $examine)`

/** The `$examine` positions after (`$savedAt`, `$seq`). */
export const SLICE = `(select * from (${inOrder(OF_MOMENT, 'seq desc')}
  union all ${inOrder(EARLIER, 'saved_at desc, seq desc')}) limit $examine)`

/** A slice begins after a position. */
export type Slice = SavedPlace & { examine: number }

/** Positions in the first slice that a list looks through, and bounds of the later ones. */
const FIRST_SLICE = 128
const MIN_SLICE = 16
const MAX_SLICE = 1 << 14
/** A slice that took longer, in milliseconds, is followed by one of half as many positions, and else by one of twice as many. */
const SLICE_MS = 3
const NEVER = Number.MAX_SAFE_INTEGER

export type Part<Row> = { rows: Row[]; skip: number; next: SavedPlace | null }
export type ReadSlice<Row> = (slice: Slice, skip: number) => Part<Row>

/** Reads of the records that are not forgotten, in order of their last save, in slices between which other work of the process runs. */
export function createSavedSlices(client: Connection) {
  const same = client.statement<{ n: number }, [Slice]>(`select count(*) as n from (select 1 ${OF_MOMENT} limit $examine)`)
  const lastOfMoment = client.statement<SavedPlace, [Slice]>(
    `select saved_at as savedAt, seq ${OF_MOMENT} order by seq desc limit 1 offset $examine - 1`,
  )
  const lastOfEarlier = client.statement<SavedPlace, [Omit<Slice, 'seq'> & { same: number }]>(
    `select saved_at as savedAt, seq ${EARLIER} order by saved_at desc, seq desc limit 1 offset $examine - $same - 1`,
  )

  /** The last position of a slice; null where the list ends within it. */
  function findLast(slice: Slice): SavedPlace | null {
    const { n } = same.get(slice) ?? { n: 0 }
    return n === slice.examine ? lastOfMoment.get(slice) : lastOfEarlier.get({ savedAt: slice.savedAt, examine: slice.examine, same: n })
  }

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

  return { readSlices, findLast }
}
