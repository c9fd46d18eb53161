import type { AddedToSource, SearchReads, SourcePlace } from '../../search.ts'
import type { Connection } from '../connection.ts'
import { parseNumberList } from './index/postings.ts'

const ORDER = 'workspace_id, source_id, audience, seq'
const PLACE = `(${ORDER}) > ($workspaceId, $sourceId, $audience, $seq)`

/** By a covering index. The numbers of a part come as one text: reading a row for each record takes no longer, but creates as many more objects. */
const PARTS = `select workspace_id as workspaceId, source_id as sourceId, audience, group_concat(seq) as seqs from (
    select ${ORDER} from records indexed by records_by_source
    where source_id is not null and forgotten_at is null and ${PLACE} and seq <= $lastSeq order by ${ORDER} limit $limit
  ) group by workspace_id, source_id, audience`

/** `earlier` is any earlier record of the source, which the index finds immediately. */
const ADDED = `select seq, workspace_id as workspaceId, audience, (
    select other.seq from records as other indexed by records_by_source where other.workspace_id = record.workspace_id
      and other.source_id = record.source_id and other.forgotten_at is null and other.seq < record.seq limit 1
  ) as earlier from records as record where seq > ? and seq <= ? and source_id is not null and forgotten_at is null order by seq`

const BEGINNING: SourcePlace = { workspaceId: 0, sourceId: '', audience: '', seq: 0 }

type PartRow = { workspaceId: number; sourceId: string; audience: string; seqs: string }

/** Reads of the sources of records. */
export function createRecordSources(client: Connection): Pick<SearchReads, 'listSourceParts' | 'listAddedToSources'> {
  const parts = client.statement<PartRow, [SourcePlace & { lastSeq: number; limit: number }]>(PARTS)
  const added = client.statement<AddedToSource, [seq: number, lastSeq: number]>(ADDED)
  return {
    listSourceParts: async ({ after = BEGINNING, lastSeq, limit }) =>
      parts.all({ ...after, lastSeq, limit }).map(({ seqs, ...part }) => ({ ...part, seqs: parseNumberList(seqs) })),
    listAddedToSources: async (seq, lastSeq) => added.all(seq, lastSeq),
  }
}
