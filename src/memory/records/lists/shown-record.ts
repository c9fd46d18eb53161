import { authorNames } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { StoredRecord, Visible } from '../../../store/record.ts'
import { findStale } from '../freshness.ts'
import { type MemoryRecord, toIsoTime, toRecordFields } from '../record.ts'

/** A record as people read it, with all its fields, null if there is no value. Times are ISO 8601 in UTC. */
export type ShownRecord = Omit<MemoryRecord, 'score' | 'source_id' | 'source_hash' | 'superseded_by' | 'expires_at' | 'excerpt'> & {
  source_id: string | null
  source_hash: string | null
  superseded_by: string | null
  expires_at: string | null
  forgotten_at: string | null
  /** When it was last saved or refreshed, by which lists are sorted. */
  saved_at: string
  /** Whether somebody named the fact key; otherwise it was derived from the content, and says no more than that. */
  fact_key_given: boolean
}

export type ToShown = (record: StoredRecord) => ShownRecord

/**
 * Looks up, in one read each, what is shown beside these records: names of workspaces and authors, and which of the records are stale for those who see
 * what is `visible`. Returns the conversion of each of them.
 */
export async function prepareShown(ctx: AppContext, project: ProjectReads, visible: Visible, records: StoredRecord[]): Promise<ToShown> {
  const workspaces = await readWorkspaceNames(project, records)
  const authors = await authorNames(ctx, new Set(records.map(({ authorId }) => authorId)))
  const stale = await findStale(project, visible, records, ctx.clock.now())
  return (record) => {
    const names = { workspace: workspaces.get(record.workspaceId) ?? '', author: authors.get(record.authorId) ?? '' }
    return {
      ...toRecordFields(record, names, { superseded_by: record.supersededBy }),
      source_id: record.sourceId,
      source_hash: record.sourceHash,
      expires_at: record.expiresAt === null ? null : toIsoTime(record.expiresAt),
      stale: stale.has(record.id),
      forgotten_at: record.forgottenAt === null ? null : toIsoTime(record.forgottenAt),
      saved_at: toIsoTime(record.refreshedAt ?? record.createdAt),
      fact_key_given: record.factKeyGiven,
    }
  }
}

/** The same for records that are all converted at once. */
export async function toShownRecords(
  ctx: AppContext,
  project: ProjectReads,
  visible: Visible,
  records: StoredRecord[],
): Promise<ShownRecord[]> {
  return records.map(await prepareShown(ctx, project, visible, records))
}

/** The names of the workspaces of some records, by id. */
export async function readWorkspaceNames(project: ProjectReads, records: StoredRecord[]): Promise<Map<number, string>> {
  const ids = new Set(records.map(({ workspaceId }) => workspaceId))
  return new Map((await project.findWorkspacesById([...ids])).map(({ id, name }) => [id, name]))
}
