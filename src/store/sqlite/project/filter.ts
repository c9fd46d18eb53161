import type { RecordFilter } from '../../record-lists.ts'
import { toKeyHash } from '../../save-hash.ts'
import { toVisibleParams } from './visible.ts'
import { REMOVED_WORKSPACES } from './workspaces.ts'

/** `record` is stale at the time `$freshAt` or `$staleAt`. The rule is that of `findStale` in `memory/records/freshness.ts`. */
const STALE = `(record.status = 'superseded' or ifnull(record.expires_at <= ifnull($freshAt, $staleAt), false)
  or (record.source_id is not null and record.source_hash is not null and record.source_hash is not (select source.hash from sources as source
    where source.workspace_id = record.workspace_id and source.source_id = record.source_id and ($v1 is null or source.audience in ($v1, $v2, $v3))
    order by source.save_sequence desc, source.audience desc limit 1)))`

/**
 * `place`, a row with what the index in order of the last save has of a record, passes a filter. Apart from `PASSES`, since rows of other records are then
 * not read.
 */
export const IS_IN_PLACE = `($v1 is null or place.audience in ($v1, $v2, $v3))
  and ($audienceKind is null or substr(place.audience, 1, 1) = $audienceKind)
  and iif($workspaceId is null,
    place.workspace_id not in ${REMOVED_WORKSPACES}, place.workspace_id = $workspaceId)
  and ($status is null or place.status = $status)
  and ($authors is null or place.author_id in (select value from json_each($authors)))
  and ($savedFrom is null or place.saved_at >= $savedFrom)
  and ($savedUntil is null or place.saved_at <= $savedUntil)
  and ($expiresAfter is null or place.expires_at > $expiresAfter)
  and ($expiresUntil is null or place.expires_at <= $expiresUntil)`

/** Whether a filter has no other conditions than those of `IS_IN_PLACE`. */
export const isOfPlaceAlone = ({ sourceId, factKey, named, freshAt, staleAt, isUnmarked }: RecordFilter): boolean =>
  [sourceId, factKey, named, freshAt, staleAt, isUnmarked].every((condition) => condition === undefined)

/** The source of `record` is `$named` or ends with it after a slash. */
const IS_SOURCE = `ifnull(rtrim(record.source_id, '/') = $named collate nocase
  or substr(rtrim(record.source_id, '/'), -length($named) - 1) = '/' || $named collate nocase, false)`

/** `record` passes the rest of the filter. */
export const PASSES = `record.forgotten_at is null
  and ($sourceId is null or record.source_id = $sourceId)
  and ($keyHash is null or record.key_hash = $keyHash)
  and ($named is null or record.id = lower($named) or record.key_hash = $namedHash or ${IS_SOURCE})
  and ($isUnmarked is null or record.marked = 0)
  and ($freshAt is null or not ${STALE})
  and ($staleAt is null or ${STALE})`

export type FilterParams = Record<string, string | number | null>

/** The parameters of both conditions. */
export function toFilterParams(filter: RecordFilter): FilterParams {
  const { visible, audienceKind = null, workspaceId = null, status = null, sourceId = null, factKey, authors, ...rest } = filter
  const {
    named,
    savedFrom = null,
    savedUntil = null,
    freshAt = null,
    staleAt = null,
    expiresAfter = null,
    expiresUntil = null,
    isUnmarked,
  } = rest
  return {
    ...toVisibleParams(visible),
    audienceKind,
    workspaceId,
    status,
    sourceId,
    keyHash: factKey === undefined ? null : toKeyHash(factKey),
    named: named === undefined ? null : withoutLastSlash(named),
    namedHash: named === undefined ? null : toKeyHash(named),
    authors: authors === undefined ? null : JSON.stringify(authors),
    savedFrom,
    savedUntil,
    freshAt,
    staleAt,
    expiresAfter,
    expiresUntil,
    isUnmarked: isUnmarked === undefined ? null : 1,
  }
}

/** The last part of a source between slashes; that of the column `source_name`. */
export const toSourceName = (source: string) => withoutLastSlash(source).split('/').at(-1) ?? ''

/** Takes time linear in the length. The pattern `/\/+$/` would be tried at each of many slashes, to the last of them. */
function withoutLastSlash(source: string): string {
  let end = source.length
  while (source[end - 1] === '/') end -= 1
  return source.slice(0, end)
}
