import type { SupersededPlace } from '../../record-lists.ts'
import type { RecordReads } from '../../record-verbs.ts'
import type { Connection } from '../connection.ts'
import { HEAD, type HeadRow, RECORD, type RecordRow, toHead, toRecord } from './record-row.ts'

const BY_SUPERSEDER = 'records indexed by records_by_superseder'
/** The plus signs make SQLite use the index by superseder, which leads to few rows. */
const NAMING = 'superseded_by = ?1 and +forgotten_at is null'
const ORDER = 'order by seq desc'

/** By index alone. A superseder is looked up once for each record that names it. */
const PLACES = `select superseded_by as supersededBy, seq from ${BY_SUPERSEDER}
  where superseded_by is not null and (superseded_by, seq) > (?1, ?2) order by superseded_by, seq limit ?3`

/** How many superseders of a record are followed. */
const MAX_SUPERSEDERS = 1_000

/** Whether the superseders from `?2` on lead to `?1`, or are too many to tell. A forgotten record has none. */
export const LEADS_BACK = `with recursive superseders (id, number) as (
    select ?2, 1
    union all
    select next.superseded_by, number + 1 from superseders join records as next on next.id = superseders.id
      where next.superseded_by is not null and superseders.id <> ?1 and number <= ${MAX_SUPERSEDERS}
  ) select 1 from superseders where superseders.id = ?1 or number > ${MAX_SUPERSEDERS}`

const ORPHANS = `select record.id from (select value from json_each(?1)) as named cross join records as record on record.seq = named.value
  left join records as superseder on superseder.id = record.superseded_by and superseder.forgotten_at is null
  where record.forgotten_at is null and record.status = 'superseded' and superseder.seq is null`

const BEGINNING: SupersededPlace = { supersededBy: '', seq: 0 }

/** Records examined in one slice by default, which takes about 5 ms with the longest contents. */
const EXAMINED_ROWS = 64

/** Reads of records by their superseder. */
export function createSupersededReads(client: Connection): Pick<RecordReads, 'listSupersededBy' | 'listHeirs' | 'listOrphans'> {
  const superseded = client.statement<RecordRow, [id: string, workspaceId: number, audience: string, limit: number]>(
    `select ${RECORD} from ${BY_SUPERSEDER} where ${NAMING} and +workspace_id = ?2 and +audience = ?3 ${ORDER} limit ?4`,
  )
  const heirs = client.statement<HeadRow, [id: string, beforeSeq: number, limit: number]>(
    `select ${HEAD} from ${BY_SUPERSEDER} where ${NAMING} and seq < ?2 ${ORDER} limit ?3`,
  )
  const places = client.statement<SupersededPlace, [supersededBy: string, seq: number, examine: number]>(PLACES)
  const orphans = client.statement<{ id: string }, [seqs: string]>(ORPHANS)
  return {
    listSupersededBy: async ({ id, workspaceId, audience }, limit) => superseded.all(id, workspaceId, audience, limit).map(toRecord),
    listHeirs: async (id, { beforeSeq = Number.MAX_SAFE_INTEGER, limit }) => heirs.all(id, beforeSeq, limit).map(toHead),
    listOrphans: async ({ after = BEGINNING, examine = EXAMINED_ROWS }) => {
      const found = places.all(after.supersededBy, after.seq, examine)
      const ids = orphans.all(JSON.stringify(found.map(({ seq }) => seq))).map(({ id }) => id)
      return { ids, next: found.length < examine ? undefined : found.at(-1) }
    },
  }
}
