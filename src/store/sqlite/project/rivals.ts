import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { CurrentStatus, Fact } from '../../record.ts'
import { toContentHash } from './content-hash.ts'
import { HEAD, type HeadRow, toHead } from './row.ts'

/** Current records of a fact, by an index that holds all that is asked here. Its condition is repeated, or the engine would not take it. */
const CURRENT = `from records indexed by records_current_by_fact_key
  where workspace_id = ?1 and fact_key = ?2 and audience = ?3
    and fact_key_given = 1 and forgotten_at is null and status <> 'superseded'`

/** Two ranges of the index instead of one condition: however many say the same, none of them is looked at. */
const SIDES = ['<', '>'] as const

const NEVER = Number.MAX_SAFE_INTEGER

type Place = [workspaceId: number, factKey: string, audience: string]
type Verbs = Pick<ProjectReads, 'listRivals' | 'countRivals' | 'findNewerRival'>

/** Reads of what speaks against a record. */
export function createRivals(client: Database): Verbs {
  const lists = SIDES.map((side) =>
    client.prepare<HeadRow, [...Place, CurrentStatus, hash: number, savedUntil: number, limit: number]>(
      `select ${HEAD} from (select seq as named ${CURRENT} and status = ?4 and content_hash ${side} ?5 and created_at <= ?6 limit ?7)
        cross join records on seq = named`,
    ),
  )
  const counts = SIDES.map((side) =>
    client.prepare<{ rivals: number }, [...Place, CurrentStatus, hash: number, most: number]>(
      `select count(*) as rivals from (select 1 ${CURRENT} and status = ?4 and content_hash ${side} ?5 limit ?6)`,
    ),
  )
  const newer = client.prepare<HeadRow, [...Place, hash: number, savedAfter: number]>(
    `select ${HEAD} from (select max(seq) as named ${CURRENT} and content_hash <> ?4 and created_at > ?5) cross join records on seq = named`,
  )
  const list: Verbs['listRivals'] = async (fact, { status, savedUntil = NEVER, limit }) => {
    const hash = toContentHash(fact.content)
    const found: HeadRow[] = []
    for (const side of lists) found.push(...side.all(...placeOf(fact), status, hash, savedUntil, limit - found.length))
    return found.map(toHead)
  }
  return {
    listRivals: list,
    countRivals: async (fact, status, most) => {
      const hash = toContentHash(fact.content)
      return counts.reduce((sum, side) => sum + (side.get(...placeOf(fact), status, hash, most - sum)?.rivals ?? 0), 0)
    },
    findNewerRival: async (fact, savedAfter) => {
      const found = newer.get(...placeOf(fact), toContentHash(fact.content), savedAfter)
      return found === null ? undefined : toHead(found)
    },
  }
}

const placeOf = ({ workspaceId, factKey, audience }: Fact): Place => [workspaceId, factKey, audience]
