import { yieldIfDue } from '../../../cooperative.ts'
import type { ProjectReads } from '../../project.ts'
import type { StoredRecord } from '../../record.ts'
import type { ListPart, RecordFilter, SavedPlace } from '../../record-lists.ts'
import { readInBatches } from '../batches.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, isOfPlaceAlone, toFilterParams } from './filter.ts'
import { createFirst, createLookUp, type First } from './look-up.ts'
import { RECORD, type RecordRow, toRecord } from './record-row.ts'
import { createSavedSlices, inPlaceOf, type Part, passingOf, type ReadSlice, type Slice, type Way } from './saved-slices.ts'

const BY_SEQ = `select ${RECORD} from (select key as place, value from json_each($seqs)) as named cross join records on seq = named.value order by place`

/** Records read at once: with the longest contents about 1 MB. */
const BATCH_RECORDS = 16
/** Records filtered at once, which takes about 8 ms with the longest contents. */
const FILTERED_RECORDS = 256
/** Maximum number of positions that `selectLatest` examines. */
const MAX_EXAMINED = 1 << 16

const NEVER = Number.MAX_SAFE_INTEGER

/** Statements that read the passing records of a slice: from the rows of records or, if the index has all that is needed, from the index alone. */
type SliceStatements = ReturnType<typeof prepareSlice>

function prepareSlice(client: Connection, way: Way, passing: string) {
  const order = way === 'down' ? 'desc' : 'asc'
  return {
    count: client.statement<{ n: number }, [FilterParams]>(`select count(*) as n ${passing}`),
    places: client.statement<SavedPlace, [FilterParams]>(`select place.named as seq, place.saved_at as savedAt ${passing}`),
    // The slice is read in its order: a sort would read all of it before the first row is known to pass.
    list: client.statement<RecordRow, [FilterParams]>(
      `select ${RECORD} from (select place.named, place.saved_at ${passing} limit $room offset $skip) as passing
      cross join records on seq = passing.named order by passing.saved_at ${order}, seq ${order}`,
    ),
  }
}

/** Reads of slices in one direction. */
function createWay(client: Connection, way: Way) {
  const { readSlices, findLast } = createSavedSlices(client, way)
  const passing = prepareSlice(client, way, passingOf(way))
  const inPlace = prepareSlice(client, way, inPlaceOf(way))

  /** The passing records of a slice after the first `skip`, up to a batch. */
  function readBatch({ count, list }: SliceStatements, filter: FilterParams, slice: Slice, skip: number): Part<RecordRow> {
    const passed = skip === 0 ? NEVER : (count.get({ ...filter, ...slice })?.n ?? 0)
    if (passed <= skip) return { rows: [], skip: skip - passed, next: findLast(slice) }
    const rows = list.all({ ...filter, ...slice, skip, room: BATCH_RECORDS })
    const row = rows.at(-1)
    return { rows, skip: 0, next: row === undefined || rows.length < BATCH_RECORDS ? findLast(slice) : toPlace(row) }
  }

  const statementsFor = (filter: RecordFilter) => (isOfPlaceAlone(filter) ? inPlace : passing)
  return {
    /** As many records as a part has, in the order in which they are read. */
    list: async (filter: RecordFilter, part: ListPart): Promise<StoredRecord[]> => {
      const [statements, params] = [statementsFor(filter), toFilterParams(filter)]
      const read: ReadSlice<RecordRow> = (slice, skip) => readBatch(statements, params, slice, skip)
      const { found } = await readSlices(filter, part, read, (rows) => rows.length >= part.limit)
      return found.slice(0, part.limit).map(toRecord)
    },
    /** Positions, until there are more than `most`; incomplete if that would require examining too many. */
    select: (filter: RecordFilter, most: number) => {
      const { places } = statementsFor(filter)
      const params = toFilterParams(filter)
      let examined = 0
      const read: ReadSlice<SavedPlace> = (slice) => {
        examined += slice.examine
        return { rows: places.all({ ...params, ...slice }), skip: 0, next: findLast(slice) }
      }
      return readSlices(filter, {}, read, (rows) => rows.length > most || examined >= MAX_EXAMINED)
    },
  }
}

/** Records in order of their last save, that pass a filter. */
export function createLatestReads(client: Connection): Pick<ProjectReads, 'filterRecords' | 'listLatest' | 'selectLatest'> {
  const [down, up] = [createWay(client, 'down'), createWay(client, 'up')]
  const bySeq = client.statement<RecordRow, [FilterParams]>(BY_SEQ)
  const lookUp = createLookUp(client)

  async function readPlaces(wanted: SavedPlace[]): Promise<StoredRecord[]> {
    const found: StoredRecord[] = []
    for (let at = 0; at < wanted.length; at += BATCH_RECORDS) {
      await yieldIfDue()
      const seqs = JSON.stringify(wanted.slice(at, at + BATCH_RECORDS).map(({ seq }) => seq))
      found.push(...bySeq.all({ seqs }).map(toRecord))
    }
    return found
  }

  return {
    filterRecords: async (filter, seqs) => {
      const passing = await readInBatches(seqs, FILTERED_RECORDS, (batch) => lookUp.filter(filter, batch))
      return passing.map(({ seq }) => seq)
    },
    listLatest: async (filter, part) => {
      const looked = await lookUp.find(filter, createFirstOfPart(part))
      if (looked !== undefined) return readPlaces(toPart(looked.finish().places, part))
      return part.after === undefined ? down.list(filter, part) : (await up.list(filter, part)).reverse()
    },
    selectLatest: async (filter, most) => {
      const looked = (await lookUp.find(filter, createFirst(most, byLatest)))?.finish()
      if (looked !== undefined) return { seqs: looked.places.map(({ seq }) => seq), isComplete: looked.isComplete }
      const { found, isComplete } = await down.select(filter, most)
      if (found.length <= most && !isComplete) return undefined
      return { seqs: found.slice(0, most).map(({ seq }) => seq), isComplete: found.length <= most }
    },
  }
}

const toPlace = ({ seq, createdAt, refreshedAt }: RecordRow): SavedPlace => ({ seq, savedAt: refreshedAt ?? createdAt })
const byLatest = (a: SavedPlace, b: SavedPlace) => b.savedAt - a.savedAt || b.seq - a.seq

/** The places that a part of a list is taken from, in the order in which it is read: those before its end are read upwards. */
function createFirstOfPart({ before, after, offset = 0, limit }: ListPart): First {
  const first = createFirst(offset + limit, after === undefined ? byLatest : (a, b) => byLatest(b, a))
  const isWithin = (place: SavedPlace) =>
    after === undefined ? before === undefined || byLatest(before, place) < 0 : byLatest(place, after) < 0
  return { ...first, add: (places) => first.add(places.filter(isWithin)) }
}

/** A part of a list, in the order of the list. */
function toPart(places: SavedPlace[], { after, offset = 0 }: ListPart): SavedPlace[] {
  const part = places.slice(offset)
  return after === undefined ? part : part.reverse()
}
