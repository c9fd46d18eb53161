import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'

/**
 * Whether a record is superseded or expired, and therefore stale whatever the state of its source. `now` is in
 * milliseconds since 1970.
 */
export function isOutdated({ status, expiresAt }: Pick<RecordHead, 'status' | 'expiresAt'>, now: number): boolean {
  return status === 'superseded' || (expiresAt !== null && expiresAt <= now)
}

/**
 * The ids of the stale ones among some records: superseded, expired, or with another hash than the current one of their
 * source, as determined by the `visible` saves. Reads all sources at once.
 */
export async function findStale(
  project: Pick<ProjectReads, 'findCurrentHashes'>,
  visible: Visible,
  records: RecordHead[],
  now: number,
): Promise<Set<string>> {
  const stale = new Set(records.filter((record) => isOutdated(record, now)).map(({ id }) => id))
  const ofSources = records.flatMap(({ id, workspaceId, sourceId, sourceHash }) =>
    sourceId === null || sourceHash === null || stale.has(id) ? [] : [{ id, workspaceId, sourceId, sourceHash }],
  )
  if (ofSources.length === 0) return stale
  const current = await project.findCurrentHashes(visible, ofSources)
  for (const [at, { id, sourceHash }] of ofSources.entries()) if (current[at] !== sourceHash) stale.add(id)
  return stale
}
