import type { RecordFilter } from '../../record.ts'
import type { DayCount, StatisticsReads } from '../../statistics.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, IS_IN_PLACE, isOfPlaceAlone, PASSES, toFilterParams } from './filter.ts'
import { createSavedSlices, SLICE, type Slice } from './saved-slices.ts'
import { createSourceCounts } from './source-counts.ts'

const DAY_COUNT = 'select place.saved_at / 86400000 as day, place.status, place.author_id as authorId, count(*) as records'
const BY_DAY = 'group by day, place.status, place.author_id'
const IN_PLACE = `from ${SLICE} as place where ${IS_IN_PLACE}`
const PASSING = `from ${SLICE} as place cross join records as record on record.seq = place.named where ${IS_IN_PLACE} and ${PASSES}`

/** Superseded or expired, whatever their source says. */
const OUTDATED = `select count(*) as n ${IN_PLACE} and (place.status = 'superseded' or ifnull(place.expires_at <= $now, false))`

const NEVER_ENOUGH = () => false

/** Counts of records, most by indexes alone. */
export function createStatisticsReads(client: Connection): StatisticsReads {
  const { countOtherHash, ...sourceCounts } = createSourceCounts(client)
  const { readSlices, findLast } = createSavedSlices(client)
  const passing = client.statement<DayCount, [FilterParams]>(`${DAY_COUNT} ${PASSING} ${BY_DAY}`)
  const inPlace = client.statement<DayCount, [FilterParams]>(`${DAY_COUNT} ${IN_PLACE} ${BY_DAY}`)
  const outdated = client.statement<{ n: number }, [FilterParams]>(OUTDATED)
  const readAll = async <Row>(filter: RecordFilter, read: (slice: Slice) => Row[]): Promise<Row[]> => {
    const readSlice = (slice: Slice) => ({ rows: read(slice), skip: 0, next: findLast(slice) })
    return (await readSlices(filter, {}, readSlice, NEVER_ENOUGH)).found
  }
  const countByDay: StatisticsReads['countByDay'] = async (filter) => {
    const [statement, params] = [isOfPlaceAlone(filter) ? inPlace : passing, toFilterParams(filter)]
    const counts = new Map<string, DayCount>()
    for (const count of await readAll(filter, (slice) => statement.all({ ...params, ...slice }))) {
      const key = `${count.day} ${count.status} ${count.authorId}`
      counts.set(key, { ...count, records: count.records + (counts.get(key)?.records ?? 0) })
    }
    return [...counts.values()]
  }
  async function countOutdated(filter: RecordFilter, now: number): Promise<number> {
    const params = toFilterParams(filter)
    const counts = await readAll(filter, (slice) => outdated.all({ ...params, ...slice, now }))
    return counts.reduce((sum, { n }) => sum + n, 0)
  }
  return {
    ...sourceCounts,
    countByDay,
    countStale: async (visible, now) => (await countOutdated({ visible }, now)) + (await countOtherHash(visible, now)),
  }
}
