import type { Database } from 'bun:sqlite'
import type { ProjectReads } from '../../project.ts'
import type { Visible } from '../../record.ts'
import type { Filter, Neighbours, StoredTokens } from '../../search.ts'
import { ROW, type Row, toRecord } from './row.ts'
import { toVisibleParams } from './select.ts'

/** Which of the records named by `?1` may be seen: the same condition as in `seen`, over `record`. */
const NAMED = `from (select value from json_each(?1)) as named cross join records as record on record.seq = named.value
  where (?2 is null or record.audience in (?2, ?3, ?4)) and record.forgotten_at is null`

/** The two records of the same source and one audience next before or after `record`: as many rows are read, whatever others saved between. */
const besideOf = (side: '<' | '>', audience: string) => `select * from (select near.seq from records as near indexed by records_beside
  where near.workspace_id = record.workspace_id and near.source_id = record.source_id and near.audience = ${audience}
    and near.forgotten_at is null and near.seq ${side} record.seq order by near.seq ${orderOf(side)} limit 2)`

/** The two next before or after `record` that may be seen, nearest first, with a comma between them. */
const beside = (side: '<' | '>') => `(select group_concat(seq) from (
  ${['?2', '?3', '?4'].map((audience) => besideOf(side, audience)).join(' union ')} order by seq ${orderOf(side)} limit 2))`

const orderOf = (side: '<' | '>') => (side === '<' ? 'desc' : 'asc')

/** `record` is of the status `?5` and not stale at the time `?6`, where these are not null: the same conditions as in `memory/stale.ts`. */
const PASSES = `(?5 is null or record.status = ?5) and (?6 is null or (record.status <> 'superseded'
  and (record.expires_at is null or record.expires_at > ?6)
  and (record.source_id is null or record.source_hash is null or record.source_hash is (select source.hash from sources as source
    where source.workspace_id = record.workspace_id and source.source_id = record.source_id and (?2 is null or source.audience in (?2, ?3, ?4))
    order by source.turn desc limit 1))))`

type Parameters = [seqs: string, ...visible: (string | null)[]]

/** Reads of many records at once: what ranking needs of them, and then the records it answers with. */
export function createDetails(
  client: Database,
): Pick<ProjectReads, 'findTokens' | 'findNeighbours' | 'findRecordsBySeq' | 'filterRecords'> {
  const words = client.prepare<StoredTokens, [...Parameters, codedTo: number]>(
    `select record.seq, record.length, iif(record.seq > ?5, null, record.codes) as codes,
      iif(record.codes is null or record.seq > ?5, record.content, null) as content ${NAMED}`,
  )
  const neighbours = client.prepare<unknown, Parameters>(
    `select record.seq, ${beside('<')}, ${beside('>')} ${NAMED} and record.source_id is not null`,
  )
  const passing = client.prepare<{ seq: number }, [...Parameters, status: string | null, freshAt: number | null]>(
    `select record.seq ${NAMED} and ${PASSES}`,
  )
  const rows = client.prepare<Row, Parameters>(`select ${ROW} ${NAMED}`)
  const bind = (visible: Visible, seqs: number[]): Parameters => {
    const { v1, v2, v3 } = toVisibleParams(visible)
    return [JSON.stringify(seqs), v1, v2, v3]
  }
  return {
    filterRecords: async ({ visible, seqs, status, freshAt }: Filter) =>
      passing.all(...bind(visible, seqs), status ?? null, freshAt ?? null).map(({ seq }) => seq),
    findRecordsBySeq: async (visible, seqs) => rows.all(...bind(visible, seqs)).map(toRecord),
    findTokens: async (visible, seqs, codedTo) => words.all(...bind(visible, seqs), codedTo),
    findNeighbours: async (visible, seqs) => neighbours.values(...bind(visible, seqs)).map(toNeighbours),
  }
}

function toNeighbours([seq, before, after]: unknown[]): Neighbours {
  const numbers = (joined: unknown) => (typeof joined === 'string' ? joined.split(',').map(Number) : [])
  return { seq: Number(seq), before: numbers(before), after: numbers(after) }
}
