import { authorNames } from '../../../account/auth/caller.ts'
import type { AppContext } from '../../../account/context.ts'
import { toIsoTime } from '../../../clock.ts'
import type { ProjectReads } from '../../../store/project.ts'
import { phrasesOf, type StoredRecord, type Visible } from '../../../store/record.ts'
import { findStale } from '../freshness.ts'
import { type MemoryRecord, toRecordFields } from '../record.ts'

/**
 * A record as the console and the command line show it, with all its fields, null for those without a value. Times are
 * ISO 8601 in UTC.
 */
export type ShownRecord = Omit<
  MemoryRecord,
  'score' | 'source_id' | 'source_hash' | 'stale' | 'superseded_by' | 'expires_at' | 'excerpt'
> & {
  stale: boolean
  source_id: string | null
  source_hash: string | null
  superseded_by: string | null
  expires_at: string | null
  forgotten_at: string | null
  /** When it was last saved or refreshed; lists are sorted by it. */
  saved_at: string
  /** Whether the fact key was given, not derived from the content. */
  fact_key_given: boolean
  /** Phrases that it is asked for with; left out if there are none. */
  asked_as?: string[]
}

export type ToShown = (record: StoredRecord) => ShownRecord

/**
 * Looks up what is shown beside these records, each in one read: names of workspaces and authors, and which of the
 * records are stale judged by what is `visible`. Returns the function that converts one of the records.
 */
export async function prepareShown(
  ctx: AppContext,
  project: ProjectReads,
  visible: Visible,
  records: StoredRecord[],
): Promise<ToShown> {
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
      ...(record.askedAs !== null && { asked_as: phrasesOf(record) }),
    }
  }
}

/** Converts all records at once. */
export async function toShownRecords(
  ctx: AppContext,
  project: ProjectReads,
  visible: Visible,
  records: StoredRecord[],
): Promise<ShownRecord[]> {
  return records.map(await prepareShown(ctx, project, visible, records))
}

/** The names of the workspaces of the records, by id. */
export async function readWorkspaceNames(project: ProjectReads, records: StoredRecord[]): Promise<Map<number, string>> {
  const ids = new Set(records.map(({ workspaceId }) => workspaceId))
  return new Map((await project.findWorkspacesById([...ids])).map(({ id, name }) => [id, name]))
}
