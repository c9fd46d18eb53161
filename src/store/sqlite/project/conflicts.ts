import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import { ROW, type Row, toRecord } from './row.ts'
import { toVisibleParams } from './select.ts'

/** Pairs within one fact; two verified ones make one pair, under the older. Few records are verified, and their index is begun with. */
const PAIRS = `select verified.seq as verified, other.seq as other
  from records as verified indexed by records_by_status
  join records as other indexed by records_by_fact_key
    on other.workspace_id = verified.workspace_id and other.fact_key = verified.fact_key and other.audience = verified.audience
  where verified.status = 'verified' and verified.status <> 'unverified' and verified.forgotten_at is null and verified.fact_key_given = 1
    and (?1 is null or verified.audience in (?1, ?2, ?3))
    and other.fact_key_given = 1 and other.forgotten_at is null and other.content <> verified.content
    and (other.status = 'unverified' or (other.status = 'verified' and other.seq > verified.seq))
  order by other.seq desc, verified.seq desc limit ?4`

type Parameters = [...visible: (string | null)[], limit: number]

/** What is verified and spoken against. */
export function createConflicts(client: Database): Pick<ProjectReads, 'listConflicts'> {
  const pairs = client.prepare<{ verified: number; other: number }, Parameters>(PAIRS)
  const row = client.prepare<Row, [number]>(`select ${ROW} from records where seq = ?`)
  const read = (seq: number) => row.all(seq).map(toRecord)
  return {
    listConflicts: async (visible, limit) => {
      const { v1, v2, v3 } = toVisibleParams(visible)
      return pairs.all(v1, v2, v3, limit).flatMap((pair) => {
        const [[verified], [other]] = [read(pair.verified), read(pair.other)]
        return verified === undefined || other === undefined ? [] : [{ verified, other }]
      })
    },
  }
}
