import { yieldIfDue } from '../../../cooperative.ts'
import { toComparableContent, toComparableKey } from '../../../text/comparable.ts'
import { toContentHashes } from '../../content-hash.ts'
import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields, StoredRecord } from '../../record.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import { HEAD, type HeadRow, RECORD, type RecordRow, toHead, toRecord } from './record-row.ts'

/** Rows examined in one step, which takes about 2 ms with the longest contents. */
const EXAMINED_ROWS = 32
/** After this many scans the write examines all rows itself, because others may save the same content as fast as it is scanned. */
const MAX_SCANS = 5

/** Whether any record has one of the hashes of a content. For an ordinary save none has, and nothing more is read. */
const ANY_ALIKE = 'select 1 from records indexed by records_by_content where content_hash in (?1, ?2, ?3) and seq > ?4 limit 1'

/** Records of one content, by its hash. */
const ALIKE = `select seq from records indexed by records_by_content
  where content_hash = ?1 and seq > ?2 and seq < ?3 order by seq desc limit ?4`

/** Of these, those in which all else is the same. */
const SAME = `select ${RECORD} from (select value from json_each(?1)) as named cross join records on seq = named.value
  where workspace_id = ?2 and audience = ?3 and forgotten_at is null and source_id is ?4 and (source_id is not null or author_id = ?5)
    and compared_key = ?6`

/** Result of a scan before a write: the live record among those up to number `upTo` that is the same save, if there is one. */
type Scan = { upTo: number; same: RecordHead | undefined }

/** More records have the same content than a write should examine. */
class TooManyAlike extends Error {
  constructor(
    readonly saved: SavedFields,
    readonly now: number,
  ) {
    super('too many records have this content')
  }
}

export type SameReads = Pick<ProjectWrites, 'findSame' | 'listSame'>

/** The verbs that find repeated saves, and writes that may use them. */
export type SameSaves = {
  verbs: SameReads
  write: <T>(act: () => Promise<T>) => Promise<T>
}

const isLive = ({ status, expiresAt }: RecordHead, now: number) => status !== 'superseded' && (expiresAt === null || expiresAt > now)

/**
 * The index finds records by the hash of their content only, and any number of records may have the same content. A write examines a few of them. If there
 * are more, it is rolled back, they are scanned in steps that yield to other work, and it runs again.
 */
export function createSameSaves({ reader, connection, writer }: Pick<SqliteFile, 'reader' | 'connection' | 'writer'>): SameSaves {
  const inside = createSteps(connection)
  const committed = createSteps(reader)
  const lastSeq = reader.statement<{ seq: number | null }, []>('select max(seq) as seq from records')
  const byId = connection.statement<HeadRow, [string]>(`select ${HEAD} from records where id = ? and forgotten_at is null`)
  /** What the running act knows; acts run one after the other. */
  let known: Scan | 'all rows' = { upTo: 0, same: undefined }

  async function findSame(saved: SavedFields, now: number): Promise<RecordHead | undefined> {
    const scanned = known === 'all rows' ? { upTo: 0, same: undefined } : known
    for (const { heads, isFull } of inside(saved, scanned.upTo)) {
      const live = heads.find((head) => isLive(head, now))
      if (live !== undefined) return live
      if (known !== 'all rows' && isFull) throw new TooManyAlike(saved, now)
    }
    const again = scanned.same === undefined ? null : byId.get(scanned.same.id)
    return again !== null && isLive(toHead(again), now) ? toHead(again) : undefined
  }

  async function scan({ saved, now }: TooManyAlike): Promise<Scan> {
    const upTo = lastSeq.get()?.seq ?? 0
    for (const { heads } of committed(saved, 0)) {
      const same = heads.find((head) => isLive(head, now))
      if (same !== undefined) return { upTo, same }
      await yieldIfDue()
    }
    return { upTo, same: undefined }
  }

  const writeKnowing = <T>(knowledge: typeof known, act: () => Promise<T>) =>
    writer.write(() => {
      known = knowledge
      return act()
    })

  return {
    verbs: { findSame, listSame: async (saved) => [...inside(saved, 0)].flatMap(({ heads }) => heads) },
    write: async (act) => {
      let scanned: Scan = { upTo: 0, same: undefined }
      for (let scans = 0; scans < MAX_SCANS; scans++) {
        try {
          return await writeKnowing(scanned, act)
        } catch (error) {
          if (!(error instanceof TooManyAlike)) throw error
          scanned = await scan(error)
        }
      }
      return writeKnowing('all rows', act)
    },
  }
}

/** `isFull` if there are more rows of the content. */
type Step = { heads: RecordHead[]; isFull: boolean }

/** The records that are the same save and were saved after a number, in steps of `EXAMINED_ROWS` rows; newest first for each hash that the content may have. */
function createSteps(client: Connection): (saved: SavedFields, afterSeq: number) => Generator<Step> {
  const any = client.statement<unknown, [hash: number, second: number, third: number, afterSeq: number]>(ANY_ALIKE)
  const alike = client.statement<{ seq: number }, [hash: number, afterSeq: number, beforeSeq: number, examine: number]>(ALIKE)
  const same = client.statement<
    RecordRow,
    [seqs: string, workspaceId: number, audience: string, sourceId: string | null, authorId: string, factKey: string]
  >(SAME)
  return function* (saved, afterSeq) {
    const { workspaceId, audience, authorId, factKey, sourceId, content } = saved
    const comparable = toComparableContent(content)
    const hashes = toContentHashes(content, comparable)
    const [first = 0, second = first, third = first] = hashes
    if (any.get(first, second, third, afterSeq) === null) return
    for (const hash of hashes) {
      for (let beforeSeq: number | undefined = Number.MAX_SAFE_INTEGER; beforeSeq !== undefined; ) {
        const rows: { seq: number }[] = alike.all(hash, afterSeq, beforeSeq, EXAMINED_ROWS)
        const seqs = JSON.stringify(rows.map(({ seq }) => seq))
        const found = rows.length === 0 ? [] : same.all(seqs, workspaceId, audience, sourceId, authorId, toComparableKey(factKey))
        beforeSeq = rows.length < EXAMINED_ROWS ? undefined : rows.at(-1)?.seq
        yield {
          heads: found
            .map(toRecord)
            .filter((one) => toComparableContent(one.content) === comparable)
            .map(withoutContent),
          isFull: beforeSeq !== undefined,
        }
      }
    }
  }
}

const withoutContent = ({ content: _content, ...head }: StoredRecord): RecordHead => head
