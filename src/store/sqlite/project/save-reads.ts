import type { Database } from 'bun:sqlite'
import type { Audience, ProjectReads, Usage, Workspace } from '../../project.ts'
import { toContentHash } from './content-hash.ts'
import { ROW, type Row, toRecord } from './row.ts'

type Verbs = Pick<ProjectReads, 'findWorkspace' | 'findSameContent' | 'readUsage'>

/** What every save asks first. */
export function createSaveReads(client: Database): Verbs {
  const workspace = client.prepare<Workspace, [string]>(
    'select id, name, created_at as createdAt, removed_at as removedAt from workspaces where name = ? and removed_at is null',
  )
  // The plus keeps the engine from walking through the workspace instead of looking up the hash.
  const sameContent = client.prepare<Row, [number, string, number, Audience]>(
    `select ${ROW} from records where content_hash = ? and content = ? and +workspace_id = ? and audience = ? and forgotten_at is null`,
  )
  const usage = client.prepare<Usage, []>('select records, content_bytes as contentBytes, turn from usage')
  return {
    findWorkspace: async (name) => workspace.get(name) ?? undefined,
    findSameContent: async (workspaceId, audience, content) =>
      sameContent.all(toContentHash(content), content, workspaceId, audience).map(toRecord),
    readUsage: async () => usage.get() ?? { records: 0, contentBytes: 0, turn: 0 },
  }
}
