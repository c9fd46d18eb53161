import { authorName } from '../../account/auth/author.ts'
import type { AppContext } from '../../account/context.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { StoredRecord, Visible } from '../../store/record.ts'
import { scopeOf } from '../visibility.ts'
import { createIsStale } from './freshness.ts'
import type { MemoryRecord } from './record.ts'

/** All that is kept of a record, as people read it. Times are ISO 8601 in UTC. */
export type ShownRecord = Omit<MemoryRecord, 'score' | 'superseded_by'> & {
  superseded_by: string | null
  expires_at: string | null
  forgotten_at: string | null
}

/** Makes records of a project what is shown of them to those who see what is `visible`. */
export function createShownRecord(ctx: AppContext, project: ProjectReads, visible: Visible) {
  const workspaces = new Map<number, Promise<string>>()
  const authors = new Map<string, Promise<string>>()
  const isStale = createIsStale(project, visible, ctx.clock.now())
  return async (record: StoredRecord): Promise<ShownRecord> => ({
    id: record.id,
    workspace: await once(workspaces, record.workspaceId, async (id) => (await project.findWorkspaceById(id))?.name ?? ''),
    scope: scopeOf(record.audience),
    content: record.content,
    fact_key: record.factKey,
    status: record.status,
    superseded_by: record.supersededBy,
    source_id: record.sourceId,
    source_hash: record.sourceHash,
    author: await once(authors, record.authorId, (id) => authorName(ctx, id)),
    created_at: toIsoTime(record.createdAt),
    expires_at: record.expiresAt === null ? null : toIsoTime(record.expiresAt),
    stale: await isStale(record),
    forgotten_at: record.forgottenAt === null ? null : toIsoTime(record.forgottenAt),
  })
}

function once<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, ask: (key: Key) => Promise<Value>): Promise<Value> {
  const asked = known.get(key) ?? ask(key)
  known.set(key, asked)
  return asked
}

function toIsoTime(time: number): string {
  return new Date(time).toISOString()
}
