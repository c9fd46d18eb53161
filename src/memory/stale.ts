import type { ProjectReads, StoredRecord, Visible } from '../store/project.ts'

/** Whether a record is stale: superseded, past its expiry, or from a state of its source that is no longer the current one. */
export type IsStale = (record: StoredRecord) => Promise<boolean>

/** Judges records of one answer, asking for each source's current hash once. */
export function createIsStale(project: ProjectReads, visible: Visible, now: number): IsStale {
  const hashes = new Map<string, Promise<string | undefined>>()
  const currentHash = (workspaceId: number, sourceId: string) => {
    const name = `${workspaceId} ${sourceId}`
    const asked = hashes.get(name) ?? project.findCurrentHash(visible, workspaceId, sourceId)
    hashes.set(name, asked)
    return asked
  }
  return async (record) => {
    if (isOutdated(record, now)) return true
    if (record.sourceId === null || record.sourceHash === null) return false
    return record.sourceHash !== (await currentHash(record.workspaceId, record.sourceId))
  }
}

/** Stale by itself, whatever became of its source. */
export function isOutdated({ status, expiresAt }: StoredRecord, now: number): boolean {
  return status === 'superseded' || (expiresAt !== null && expiresAt <= now)
}
