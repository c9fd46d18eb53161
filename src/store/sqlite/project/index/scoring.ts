import type { Visible } from '../../../record.ts'
import type { Neighbours, SearchReads, StoredTokens } from '../../../search.ts'
import type { Connection } from '../../connection.ts'
import { toVisibleList, type VisibleParams } from '../visible.ts'

/** The visible records among those with the numbers `?1` that are not forgotten. */
const NAMED = `from (select value from json_each(?1)) as named cross join records as record on record.seq = named.value
  where (?2 is null or record.audience in (?2, ?3, ?4)) and record.forgotten_at is null`

/** The two records of the same source and one audience just before or after `record`. Reads two rows, whatever was saved in between. */
const nearestOf = (side: '<' | '>', audience: string) => `select * from (select near.seq from records as near indexed by records_by_source
  where near.workspace_id = record.workspace_id and near.source_id = record.source_id and near.audience = ${audience}
    and near.forgotten_at is null and near.seq ${side} record.seq order by near.seq ${orderOf(side)} limit 2)`

/** Placeholders of the audiences whose records may be neighbours. */
const AUDIENCES = ['?2', '?3', '?4']

/** The two nearest records of the first `count` audiences before or after `record`, comma-separated, nearest first. */
const nearest = (side: '<' | '>', count: number) => `(select group_concat(seq) from (
  ${AUDIENCES.slice(0, count)
    .map((audience) => nearestOf(side, audience))
    .join(' union ')} order by seq ${orderOf(side)} limit 2))`

const orderOf = (side: '<' | '>') => (side === '<' ? 'desc' : 'asc')

type Params = [seqs: string, ...VisibleParams]

/** What scoring reads of many records at once. */
export function createScoringReads(client: Connection): Pick<SearchReads, 'findTokens' | 'findNeighbours'> {
  const tokens = client.statement<StoredTokens, [...Params, codedTo: number]>(
    `select record.seq, record.length, iif(record.seq > ?5, null, record.codes) as codes,
      iif(record.codes is null or record.seq > ?5, record.content, null) as content,
      iif(record.codes is null or record.seq > ?5, record.asked_as, null) as askedAs ${NAMED}`,
  )
  // One statement for each number of audiences: most records have one, whose neighbours take half the time to find.
  const neighbours = AUDIENCES.map((_, at) =>
    client.statement<unknown, Params>(
      `select record.seq, ${nearest('<', at + 1)}, ${nearest('>', at + 1)} ${NAMED} and record.source_id is not null`,
    ),
  )
  const toParams = (visible: Visible, seqs: number[]): Params => [JSON.stringify(seqs), ...toVisibleList(visible)]
  return {
    findTokens: async (visible, seqs, codedTo) => tokens.all(...toParams(visible, seqs), codedTo),
    findNeighbours: async (visible, seqs) => (neighbours[visible.length - 1]?.values(...toParams(visible, seqs)) ?? []).map(toNeighbours),
  }
}

function toNeighbours([seq, before, after]: unknown[]): Neighbours {
  const toNumbers = (joined: unknown) => (typeof joined === 'string' ? joined.split(',').map(Number) : [])
  return { seq: Number(seq), before: toNumbers(before), after: toNumbers(after) }
}
