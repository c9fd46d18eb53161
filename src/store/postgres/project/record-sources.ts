import { sql } from 'drizzle-orm'
import type { Audience } from '../../record.ts'
import type { AddedToSource, SearchReads, SourcePart, SourcePlace } from '../../search.ts'
import { fromText, toText } from '../exact-text.ts'
import { unpack } from './index/packed.ts'
import type { Scope } from './scope.ts'

const BEGINNING: SourcePlace = { workspaceId: 0, sourceId: '', audience: '', seq: 0 }
const ORDER = sql`workspace_id, source_id, audience, seq`

type PartRow = { workspaceId: number; sourceId: string; audience: Audience; seqs: Uint8Array }

const toPart = ({ workspaceId, sourceId, audience, seqs }: PartRow): SourcePart => ({
  workspaceId,
  sourceId: fromText(sourceId),
  audience,
  seqs: unpack(seqs),
})

/** Which source each record is of. */
export function createRecordSources({ run, projectId }: Scope): Pick<SearchReads, 'listSourceParts' | 'listAddedToSources'> {
  return {
    listSourceParts: ({ after = BEGINNING, lastSeq, limit }) =>
      run(async ({ db }) => {
        const { workspaceId, sourceId, audience, seq } = after
        const rows = await db.execute(sql`select workspace_id as "workspaceId", source_id as "sourceId", audience,
            string_agg(int4send(seq), ''::bytea order by seq) as seqs
          from (select ${ORDER} from records where project_id = ${projectId} and source_id is not null and forgotten_at is null
            and (${ORDER}) > (${workspaceId}::integer, ${toText(sourceId)}, ${audience}, ${seq}::integer) and seq <= ${lastSeq}::integer
            order by ${ORDER} limit ${limit}::integer) as page
          group by workspace_id, source_id, audience order by workspace_id, source_id, audience`)
        return rows.map((row) => row as PartRow).map(toPart)
      }),
    listAddedToSources: (seq, lastSeq) =>
      run(async ({ db }) => {
        const rows = await db.execute(sql`select seq, workspace_id as "workspaceId", audience, (
            select other.seq from records as other where other.project_id = ${projectId} and other.workspace_id = record.workspace_id
              and other.source_id = record.source_id and other.forgotten_at is null and other.seq < record.seq limit 1) as earlier
          from records as record where project_id = ${projectId} and seq > ${seq}::integer and seq <= ${lastSeq}::integer
            and source_id is not null and forgotten_at is null order by seq`)
        return rows.map((row) => row as AddedToSource)
      }),
  }
}
