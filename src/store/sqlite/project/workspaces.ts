import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Visible } from '../../record.ts'
import type { AudienceStats } from '../../search.ts'
import type { SeenWorkspace, Workspace } from '../../workspace.ts'
import { toVisibleParams } from './select.ts'

type Verbs = Pick<ProjectReads, 'listWorkspaces' | 'countWorkspaces' | 'listRemovedWorkspaces' | 'readAudienceStats'>

const WORKSPACE = 'w.id, w.name, w.created_at as createdAt, w.removed_at as removedAt'
const SEEN = '(?1 is null or audience in (?1, ?2, ?3))'
const HELD = `(select coalesce(sum(records), 0) from holdings where workspace_id = w.id and ${SEEN}) as records`

/** An audience's workspaces after the name `?4`. Each is cut to the limit, so that the union never holds more than three pages. */
const OF_AUDIENCE = (audience: string) => `select * from (select name, workspace_id from workspace_audiences
  where audience = ${audience} and name is not null and name > ?4 order by name limit ?5)`

/** What may be asked of workspaces by people: every statement but the count reads as many rows as it returns. */
export function createWorkspaceReads(client: Database): Verbs {
  const all = client.prepare<SeenWorkspace, Parameters>(
    `select ${WORKSPACE}, ${HELD} from workspaces as w where removed_at is null and name > ?4 order by name limit ?5`,
  )
  const seen = client.prepare<SeenWorkspace, Parameters>(
    `select ${WORKSPACE}, ${HELD} from (${['?1', '?2', '?3'].map(OF_AUDIENCE).join(' union ')} order by name limit ?5) as page
      join workspaces as w on w.id = page.workspace_id order by w.name`,
  )
  const count = client.prepare<{ n: number }, []>('select count(*) as n from workspaces where removed_at is null')
  const removed = client.prepare<Workspace, [string | null, number, number]>(
    `select ${WORKSPACE} from workspaces as w where removed_at is not null and (?1 is null or name = ?1) and id > ?2 order by id limit ?3`,
  )
  const holding = client.prepare<AudienceStats, [...VisibleParameters, workspaceId: number]>(
    `select coalesce(sum(records), 0) as records, coalesce(sum(length), 0) as length from holdings where workspace_id = ?4 and ${SEEN}`,
  )
  return {
    listWorkspaces: async (visible, { after = '', limit }) =>
      (visible === undefined ? all : seen).all(...toParameters(visible), after, limit),
    countWorkspaces: async () => count.get()?.n ?? 0,
    listRemovedWorkspaces: async ({ name = null, afterId = 0, limit }) => removed.all(name, afterId, limit),
    readAudienceStats: async (visible, workspaceId) => holding.get(...toParameters(visible), workspaceId) ?? { records: 0, length: 0 },
  }
}

type VisibleParameters = [v1: string | null, v2: string | null, v3: string | null]
type Parameters = [...VisibleParameters, after: string, limit: number]

function toParameters(visible: Visible): VisibleParameters {
  const { v1, v2, v3 } = toVisibleParams(visible)
  return [v1, v2, v3]
}
