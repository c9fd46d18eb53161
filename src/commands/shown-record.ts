import { authorName } from '../account/author.ts'
import { createIsStale } from '../memory/stale.ts'
import { scopeOf } from '../memory/visible.ts'
import type { Service } from '../service.ts'
import type { ProjectStore, StoredRecord } from '../store/project.ts'
import { toIsoTime } from './table.ts'

/** Makes records of a project what the command line prints of them: all that is kept. */
export async function createShownRecord(service: Service, project: ProjectStore) {
  const workspaces = [...(await project.listWorkspaces()), ...(await project.listRemovedWorkspaces())]
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  const isStale = createIsStale(project, undefined, service.clock.now())
  return async (record: StoredRecord) => ({
    id: record.id,
    workspace: names.get(record.workspaceId) ?? '',
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    superseded_by: record.supersededBy,
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    author: await authorName(service, record.authorId),
    created_at: toIsoTime(record.createdAt),
    expires_at: toIsoTime(record.expiresAt),
    stale: await isStale(record),
    forgotten_at: toIsoTime(record.forgottenAt),
  })
}
