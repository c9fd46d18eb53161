import type { RecordFilter } from '../../record-lists.ts'
import { toKeyHash } from '../../save-hash.ts'
import { isVisible, type Params, type ProjectSql, toRemovedWorkspaces, toVisibleParams } from './sql.ts'

/**
 * A filter as a condition on `records`. `isIndexed`: the index in order of the last save has all columns of it. The
 * conditions that few records meet come first, since they are checked in this order.
 */
type FilterText = { condition: string; isIndexed: boolean; params: Params }

/**
 * Whether `records` is stale at the time of a parameter. The same rule as `findStale` in `memory/records/freshness.ts`.
 */
const isStale = ({ own }: ProjectSql, { visible }: RecordFilter, at: string): string =>
  `(records.status = 'superseded' or coalesce(records.expires_at <= ${at}, false)
    or (records.source_id is not null and records.source_hash is not null and records.source_hash is distinct from (
      select hash from sources where ${own()} and sources.workspace_id = records.workspace_id and sources.source_id = records.source_id
        and ${isVisible(visible, 'sources.audience')} order by save_sequence desc, audience desc limit 1)))`

export function toFilterText(sql: ProjectSql, filter: RecordFilter): FilterText {
  const { visible, audienceKind, workspaceId, status, sourceId, factKey, named, authors, savedFrom, savedUntil } =
    filter
  const { freshAt, staleAt, expiresAfter, expiresUntil, isUnmarked } = filter
  const params: Params = toVisibleParams(visible)
  /** The conditions whose parameter is asked for. */
  const take = (conditions: Record<string, [value: Params[string] | undefined, text: string]>): string[] =>
    Object.entries(conditions).flatMap(([name, [value, text]]) => {
      if (value === undefined) return []
      params[name] = value
      return [text]
    })
  const indexed = [
    ...take({
      workspaceId: [workspaceId, 'records.workspace_id = $workspaceId'],
      audienceKind: [audienceKind, 'substr(records.audience, 1, 1) = $audienceKind'],
      status: [status, 'records.status = $status'],
      authors: [authors, `records.author_id in ${sql.texts('authors')}`],
      savedFrom: [savedFrom, 'records.saved_at >= $savedFrom'],
      savedUntil: [savedUntil, 'records.saved_at <= $savedUntil'],
      expiresAfter: [expiresAfter, 'records.expires_at > $expiresAfter'],
      expiresUntil: [expiresUntil, 'records.expires_at <= $expiresUntil'],
    }),
    isVisible(visible, 'records.audience'),
    ...(workspaceId === undefined ? [`records.workspace_id not in ${toRemovedWorkspaces(sql)}`] : []),
  ]
  const passes = take({
    sourceId: [sourceId, 'records.source_id = $sourceId'],
    keyHash: [factKey === undefined ? undefined : toKeyHash(factKey), 'records.key_hash = $keyHash'],
    freshAt: [freshAt, `not ${isStale(sql, filter, '$freshAt')}`],
    staleAt: [staleAt, isStale(sql, filter, '$staleAt')],
  })
  if (isUnmarked) passes.push('not records.marked')
  if (named !== undefined) {
    passes.push(IS_NAMED)
    Object.assign(params, toNameParams(named))
  }
  return { condition: [...indexed, ...passes].join(' and '), isIndexed: passes.length === 0, params }
}

const PATH = "('/' || lower(rtrim(records.source_id, '/')))"
/** `records` has the id, the fact key, or a source that is the name or ends with it after a slash. */
const IS_NAMED = `(records.id = $namedId or records.key_hash = $namedHash or (records.source_name = $namedSource
  and substr(${PATH}, length(${PATH}) - length(cast($namedEnd as text)) + 1) = $namedEnd))`

export const toNameParams = (named: string) => ({
  namedId: toAsciiLower(named),
  namedHash: toKeyHash(named),
  namedSource: toSourceName(named),
  namedEnd: `/${toAsciiLower(withoutLastSlash(named))}`,
})

/** The last part of a source between slashes, with ASCII letters in lower case, as the column `source_name` has it. */
export const toSourceName = (source: string): string => toAsciiLower(withoutLastSlash(source).split('/').at(-1) ?? '')

/**
 * Takes time linear in the length. The pattern `/\/+$/` would be tried at each of many slashes, to the last of them.
 */
function withoutLastSlash(source: string): string {
  let end = source.length
  while (source[end - 1] === '/') end -= 1
  return source.slice(0, end)
}

export const toAsciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
