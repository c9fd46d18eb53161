import type { RecordFilter } from '../../record-lists.ts'
import { toKeyHash } from '../../save-hash.ts'
import { toNameParams, toSourceName } from './filter.ts'
import { type Params, type ProjectSql, unionOf } from './sql.ts'

/** Maximum number of records that are looked up by an index instead of scanning all in order of their last save. */
const MAX_FEW = 2_048

/**
 * Returns a function that finds the numbers of the records among which those of a selective filter are: one that names
 * a source, fact key or record, or restricts to a small workspace or to few expiring records. Undefined for another
 * filter, or if they are many.
 */
export function createLookUp({ all, own, by }: ProjectSql): (filter: RecordFilter) => Promise<number[] | undefined> {
  const from = (index: string, condition: string) =>
    `select seq from records ${by(index)} where ${own()} and forgotten_at is null and ${condition} limit ${MAX_FEW + 1}`
  const bySource = from('records_by_source_name', 'source_id is not null and source_name = $namedSource')
  const byKey = from('records_by_key', 'key_hash = $namedHash')
  const byId = `select seq from records where ${own()} and id = $namedId`
  const byExpiry = from('records_by_expiry', 'expires_at is not null and expires_at > $after and expires_at <= $until')
  const ofWorkspace = from('records_by_workspace', 'workspace_id = $workspaceId')
  const byKeyOfWorkspace = from('records_by_key', 'key_hash = $namedHash and workspace_id = $workspaceId')

  function toLists({
    named,
    sourceId,
    factKey,
    workspaceId,
    expiresAfter,
    expiresUntil,
  }: RecordFilter): [lists: string[], params: Params] {
    const keyed = workspaceId === undefined ? byKey : byKeyOfWorkspace
    const place: Params = workspaceId === undefined ? {} : { workspaceId }
    if (sourceId !== undefined) return [[bySource], { namedSource: toSourceName(sourceId) }]
    if (factKey !== undefined) return [[keyed], { namedHash: toKeyHash(factKey), ...place }]
    if (named !== undefined) {
      const { namedEnd: _namedEnd, ...params } = toNameParams(named)
      return [[bySource, keyed, byId], { ...params, ...place }]
    }
    if (expiresAfter !== undefined && expiresUntil !== undefined)
      return [[byExpiry], { after: expiresAfter, until: expiresUntil }]
    return workspaceId === undefined ? [[], {}] : [[ofWorkspace], place]
  }

  return async (filter) => {
    const [lists, params] = toLists(filter)
    if (lists.length === 0) return undefined
    const found = await all<{ seq: number }>(unionOf(lists), params)
    return found.length > MAX_FEW ? undefined : [...new Set(found.map(({ seq }) => seq))]
  }
}
