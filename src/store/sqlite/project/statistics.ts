import type { DayCount, StatisticsReads } from '../../statistics.ts'
import type { Connection } from '../connection.ts'
import { type FilterParams, isOfPlaceAlone, toFilterParams } from './filter.ts'
import { createSavedSlices, inPlaceOf, passingOf, type Slice } from './saved-slices.ts'
import { createSourceCounts } from './source-counts.ts'
import { toVisibleList, type VisibleParams } from './visible.ts'
import { REMOVED_WORKSPACES } from './workspaces.ts'

const DAY_COUNT = 'select place.saved_at / 86400000 as day, place.status, place.author_id as authorId, count(*) as records'
const BY_DAY = 'group by day, place.status, place.author_id'

/** Records that are superseded or expired, each by an index of few records. */
const IS_SEEN = `(?1 is null or audience in (?1, ?2, ?3)) and workspace_id not in ${REMOVED_WORKSPACES}`
const OUTDATED = `select (select count(*) from records indexed by records_by_status
    where status = 'superseded' and status <> 'unverified' and forgotten_at is null and ${IS_SEEN})
  + (select count(*) from records indexed by records_by_expiry
    where expires_at <= ?4 and expires_at is not null and forgotten_at is null and status <> 'superseded' and ${IS_SEEN}) as n`

const NEVER_ENOUGH = () => false

/** Counts of records, most by indexes alone. */
export function createStatisticsReads(client: Connection): StatisticsReads {
  const { countOtherHash, ...sourceCounts } = createSourceCounts(client)
  const { readSlices, findLast } = createSavedSlices(client, 'down')
  const passing = client.statement<DayCount, [FilterParams]>(`${DAY_COUNT} ${passingOf('down')} ${BY_DAY}`)
  const inPlace = client.statement<DayCount, [FilterParams]>(`${DAY_COUNT} ${inPlaceOf('down')} ${BY_DAY}`)
  const outdated = client.statement<{ n: number }, [...VisibleParams, now: number]>(OUTDATED)
  const countByDay: StatisticsReads['countByDay'] = async (filter) => {
    const [statement, params] = [isOfPlaceAlone(filter) ? inPlace : passing, toFilterParams(filter)]
    const counts = new Map<string, DayCount>()
    const read = (slice: Slice) => ({ rows: statement.all({ ...params, ...slice }), skip: 0, next: findLast(slice) })
    const { found } = await readSlices(filter, {}, read, NEVER_ENOUGH)
    for (const count of found) {
      const key = `${count.day} ${count.status} ${count.authorId}`
      counts.set(key, { ...count, records: count.records + (counts.get(key)?.records ?? 0) })
    }
    return [...counts.values()]
  }
  return {
    ...sourceCounts,
    countByDay,
    countStale: async (visible, now) => (outdated.get(...toVisibleList(visible), now)?.n ?? 0) + (await countOtherHash(visible, now)),
  }
}
