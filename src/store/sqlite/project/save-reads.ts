import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Usage } from '../../record.ts'
import type { Workspace } from '../../workspace.ts'
import { toContentHash } from './content-hash.ts'
import { HEAD, type HeadRow, toHead } from './row.ts'

type Verbs = Pick<ProjectReads, 'findWorkspace' | 'listSameSlice' | 'findLastSeq' | 'readUsage'>

/** Records of one content, by its hash. A slice is of rows looked at: any number of records may have one content. */
const ALIKE = `select seq from records indexed by records_by_content
  where content_hash = ?1 and seq > ?2 and seq < ?3 order by seq desc limit ?4`

/** The content comes last: it is compared only where all else is the same. */
const SAME = `select ${HEAD} from (select value from json_each(?1)) as named cross join records on seq = named.value
  where workspace_id = ?2 and audience = ?3 and author_id = ?4 and forgotten_at is null and fact_key = ?5 and fact_key_given = ?6
    and source_id is ?7 and source_hash is ?8 and content = ?9`

/** What every save asks first. */
export function createSaveReads(client: Database): Verbs {
  const workspace = client.prepare<Workspace, [string]>(
    'select id, name, created_at as createdAt, removed_at as removedAt from workspaces where name = ? and removed_at is null',
  )
  const alike = client.prepare<{ seq: number }, [hash: number, afterSeq: number, beforeSeq: number, examine: number]>(ALIKE)
  const same = client.prepare<HeadRow, (string | number | null)[]>(SAME)
  const last = client.prepare<{ seq: number | null }, []>('select max(seq) as seq from records')
  const usage = client.prepare<Usage, []>('select records, content_bytes as contentBytes, turn as saveSequence from usage')
  return {
    findWorkspace: async (name) => workspace.get(name) ?? undefined,
    listSameSlice: async (said, { beforeSeq = Number.MAX_SAFE_INTEGER, afterSeq, examine }) => {
      const { workspaceId, audience, authorId, factKey, factKeyGiven, sourceId, sourceHash, content } = said
      const rows = alike.all(toContentHash(content), afterSeq, beforeSeq, examine)
      const next = rows.length < examine ? undefined : rows.at(-1)?.seq
      if (rows.length === 0) return { heads: [], next }
      const named = JSON.stringify(rows.map(({ seq }) => seq))
      const place = [workspaceId, audience, authorId] as const
      const heads = same.all(named, ...place, factKey, Number(factKeyGiven), sourceId, sourceHash, content)
      return { heads: heads.map(toHead), next }
    },
    findLastSeq: async () => last.get()?.seq ?? 0,
    readUsage: async () => usage.get() ?? { records: 0, contentBytes: 0, saveSequence: 0 },
  }
}
