import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../project.ts'
import type { ListPart, RecordFilter, SavedPlace, StoredRecord } from '../../record.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, IS_IN_PLACE, isOfPlaceAlone, PASSES, toFilterParams } from './filter.ts'
import { createLookUp } from './look-up.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'
import { createSavedSlices, type Part, type ReadSlice, SLICE, type Slice } from './saved-slices.ts'

const IN_PLACE = `from ${SLICE} as place where ${IS_IN_PLACE}`
const PASSING = `from ${SLICE} as place cross join records as record on record.seq = place.named where ${IS_IN_PLACE} and ${PASSES}`

const BY_SEQ = `select ${RECORD} from (select key as place, value from json_each($seqs)) as named cross join records on seq = named.value order by place`

/** Records read at once: with the longest contents some 1 MB. */
const BATCH_RECORDS = 16
/** Positions that `selectLatest` looks through at most. */
const MAX_EXAMINED = 1 << 16

const NEVER = Number.MAX_SAFE_INTEGER

/** The statements that read those of a slice that pass: by the rows of records too, or where the index has all that is asked for, by it alone. */
type SliceStatements = ReturnType<typeof prepareSlice>

function prepareSlice(client: Connection, passing: string) {
  return {
    count: client.statement<{ n: number }, [FilterParams]>(`select count(*) as n ${passing}`),
    places: client.statement<SavedPlace, [FilterParams]>(`select place.named as seq, place.saved_at as savedAt ${passing}`),
    // The slice is read in its order: a sort would read all of it before the first row is known to pass.
    list: client.statement<RecordRow, [FilterParams]>(
      `select ${RECORD} from (select place.named, place.saved_at ${passing} limit $room offset $skip) as passing
      cross join records on seq = passing.named order by passing.saved_at desc, seq desc`,
    ),
  }
}

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(client: Connection): Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest'> {
  const { readSlices, findLast } = createSavedSlices(client)
  const passing = prepareSlice(client, PASSING)
  const inPlace = prepareSlice(client, IN_PLACE)
  const statementsFor = (filter: RecordFilter) => (isOfPlaceAlone(filter) ? inPlace : passing)
  const bySeq = client.statement<RecordRow, [FilterParams]>(BY_SEQ)
  const lookUp = createLookUp(client)

  /** Of the records of a slice that pass, those after the first `skip`, as many as are read at once. */
  function readBatch({ count, list }: SliceStatements, filter: FilterParams, slice: Slice, skip: number): Part<RecordRow> {
    const passed = skip === 0 ? NEVER : (count.get({ ...filter, ...slice })?.n ?? 0)
    if (passed <= skip) return { rows: [], skip: skip - passed, next: findLast(slice) }
    const rows = list.all({ ...filter, ...slice, skip, room: BATCH_RECORDS })
    const row = rows.at(-1)
    return { rows, skip: 0, next: row === undefined || rows.length < BATCH_RECORDS ? findLast(slice) : toPlace(row) }
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
      const [statements, params] = [statementsFor(filter), toFilterParams(filter)]
      const read: ReadSlice<RecordRow> = (slice, skip) => readBatch(statements, params, slice, skip)
      const { found } = await readSlices(filter, part, read, (rows) => rows.length >= part.limit)
      return found.slice(0, part.limit).map(toRecord)
    },
    selectLatest: async (filter, most) => {
      const looked = await lookUp.find(filter)
      if (looked !== undefined) return { seqs: toSeqs(looked.sort(byLatest), most), isComplete: looked.length <= most }
      const { places } = statementsFor(filter)
      const params = toFilterParams(filter)
      let examined = 0
      const read: ReadSlice<SavedPlace> = (slice) => {
        examined += slice.examine
        return { rows: places.all({ ...params, ...slice }), skip: 0, next: findLast(slice) }
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
