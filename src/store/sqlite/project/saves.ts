import type { Database } from 'bun:sqlite'
import { getTableColumns } from 'drizzle-orm'
import type { Audience, NewRecord, RecordReads, Usage } from '../../record.ts'
import { toInsertList } from '../columns.ts'
import { records } from '../schema/project.ts'
import { toContentHash } from './content-hash.ts'
import { HEAD, type HeadRow, toHead } from './record-row.ts'

/** Records with the same content, by its hash. A slice is of rows examined: any number of records may have the same content. */
const SAME_CONTENT = `select seq from records indexed by records_by_content
  where content_hash = ?1 and seq > ?2 and seq < ?3 order by seq desc limit ?4`

/** The content comes last: it is compared only where all else is the same. */
const SAME_FIELDS = `select ${HEAD} from (select value from json_each(?1)) as named cross join records on seq = named.value
  where workspace_id = ?2 and audience = ?3 and author_id = ?4 and forgotten_at is null and fact_key = ?5 and fact_key_given = ?6
    and source_id is ?7 and source_hash is ?8 and content = ?9`

/** What every save reads first. */
export function createSaveReads(client: Database): Pick<RecordReads, 'listSameSlice' | 'readUsage'> {
  const sameContent = client.prepare<{ seq: number }, [hash: number, afterSeq: number, beforeSeq: number, examine: number]>(SAME_CONTENT)
  const sameFields = client.prepare<HeadRow, (string | number | boolean | null)[]>(SAME_FIELDS)
  const usage = client.prepare<Usage, []>('select records, content_bytes as contentBytes, turn as saveSequence from usage')
  return {
    listSameSlice: async (saved, { beforeSeq = Number.MAX_SAFE_INTEGER, afterSeq, examine }) => {
      const { workspaceId, audience, authorId, factKey, factKeyGiven, sourceId, sourceHash, content } = saved
      const rows = sameContent.all(toContentHash(content), afterSeq, beforeSeq, examine)
      const next = rows.length < examine ? undefined : rows.at(-1)?.seq
      if (rows.length === 0) return { heads: [], next }
      const seqs = JSON.stringify(rows.map(({ seq }) => seq))
      const fields = [workspaceId, audience, authorId, factKey, factKeyGiven, sourceId, sourceHash, content]
      return { heads: sameFields.all(seqs, ...fields).map(toHead), next }
    },
    readUsage: async () => usage.get() ?? { records: 0, contentBytes: 0, saveSequence: 0 },
  }
}

const { seq: _seq, ...INSERTED } = getTableColumns(records)
type Inserted = keyof typeof INSERTED

/** The rows that every save writes, besides its entry in the index. */
export function createSaveWrites(client: Database) {
  const names = Object.keys(INSERTED) as Inserted[]
  const insert = client.prepare<unknown, (string | number | boolean | Uint8Array | null)[]>(`insert into records ${toInsertList(INSERTED)}`)
  const audience = client.prepare<unknown, [workspaceId: number, Audience]>(
    'insert into workspace_audiences values (?1, ?2, (select name from workspaces where id = ?1)) on conflict do nothing',
  )
  // Selected by its id, the row is known to be the only one, and SQLite needs no statement journal.
  const usage = client.prepare<unknown, [records: number, contentBytes: number]>(
    'update usage set records = records + ?, content_bytes = content_bytes + ? where id = 1',
  )
  return {
    /** Returns the record's number. */
    insertRow: ({ entry, ...record }: NewRecord): number => {
      const row = { ...record, contentHash: toContentHash(record.content), length: entry.length, codes: entry.codes }
      return Number(insert.run(...names.map((name) => row[name])).lastInsertRowid)
    },
    addAudience: (workspaceId: number, to: Audience): void => void audience.run(workspaceId, to),
    count: (by: 1 | -1, contentBytes: number): void => void usage.run(by, by * contentBytes),
  }
}
