import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import { HEAD, type HeadRow, toHead } from './row.ts'
import { toVisibleParams } from './select.ts'

/**
 * A long content stands on pages of its own, through which the engine walks to the columns behind it, so that even a row that is passed over
 * takes time: a slice is of rows looked at, not of rows found.
 */
const OF_SOURCE = `select ${HEAD} from (
    select seq as named from records indexed by records_by_source where workspace_id = ? and source_id = ? and seq > ? order by seq limit ?
  ) cross join records on seq = named`

/** Records without their contents. */
export function createHeads(client: Database): Pick<ProjectReads, 'findHead' | 'listSourceSlice'> {
  const ofSource = client.prepare<HeadRow, [workspaceId: number, sourceId: string, afterSeq: number, examine: number]>(OF_SOURCE)
  const byId = client.prepare<HeadRow, [id: string, ...visible: (string | null)[]]>(
    `select ${HEAD} from records where id = ?1 and (?2 is null or audience in (?2, ?3, ?4))`,
  )
  return {
    findHead: async (visible, id, options) => {
      const { v1, v2, v3 } = toVisibleParams(visible)
      const found = byId.get(id, v1, v2, v3)
      return found !== null && (found.forgottenAt === null || options?.forgotten) ? toHead(found) : undefined
    },
    listSourceSlice: async ({ visible, workspaceId, sourceId, afterSeq, examine }) => {
      const rows = ofSource.all(workspaceId, sourceId, afterSeq, examine)
      const seen = rows.filter(({ audience, forgottenAt }) => forgottenAt === null && (visible?.includes(audience) ?? true))
      return { heads: seen.map(toHead), next: rows.length < examine ? undefined : rows.at(-1)?.seq }
    },
  }
}
