import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'

/**
 * Whether a record is stale: superseded, past its expiry, or from a state of its source that is no longer the current one. A promise only
 * where a source must be asked for.
 */
export type IsStale = (record: RecordHead) => boolean | Promise<boolean>

/** Judges records of one answer, asking for each source's current hash once. */
export function createIsStale(project: ProjectReads, visible: Visible, now: number): IsStale {
  const hashes = new Map<string, Promise<string | undefined>>()
  const currentHash = (workspaceId: number, sourceId: string) => {
    const name = `${workspaceId} ${sourceId}`
    const asked = hashes.get(name) ?? project.findCurrentHash(visible, workspaceId, sourceId)
    hashes.set(name, asked)
    return asked
  }
  return (record) => {
    const { workspaceId, sourceId, sourceHash } = record
    if (isOutdated(record, now)) return true
    if (sourceId === null || sourceHash === null) return false
    return currentHash(workspaceId, sourceId).then((current) => sourceHash !== current)
  }
}

/** Stale by itself, whatever became of its source. */
export function isOutdated({ status, expiresAt }: Pick<RecordHead, 'status' | 'expiresAt'>, now: number): boolean {
  return status === 'superseded' || (expiresAt !== null && expiresAt <= now)
}
