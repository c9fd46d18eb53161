import { yieldIfDue } from '../../../cooperative.ts'
import { toComparableContent, toComparableKey } from '../../../text/comparable.ts'
import { toContentHashes } from '../../content-hash.ts'
import type { ProjectWrites } from '../../project.ts'
import type { RecordHead, SavedFields, StoredRecord } from '../../record.ts'
import type { Connection } from '../connection.ts'
import type { SqliteFile } from '../file.ts'
import { HEAD, type HeadRow, RECORD, type RecordRow, toHead, toRecord } from './record-row.ts'

/** Rows examined in one step. */
const EXAMINED_ROWS = 32
/** After this many scans for one answer the write examines all rows itself, because others may save the same content as fast as it is scanned. */
const MAX_SCANS = 5

/** Whether any record has one of the hashes of a content. For an ordinary save none has, and nothing more is read. */
const ANY_ALIKE = 'select 1 from records indexed by records_by_content where content_hash in (?1, ?2, ?3) and seq > ?4 and seq < ?5 limit 1'

/** Records of one content, by its hash. */
const ALIKE = `select seq from records indexed by records_by_content
  where content_hash = ?1 and seq > ?2 and seq < ?3 order by seq desc limit ?4`

/** Records of one source, by an index in order of number. */
const OF_SOURCE = `select seq from records indexed by records_beside
  where workspace_id = ?1 and source_id = ?2 and audience = ?3 and forgotten_at is null and seq < ?4 order by seq desc limit ?5`

/** Records of one fact key that say this content and are not superseded, by a covering index. */
const OF_KEY = `select seq from records indexed by records_by_key
  where workspace_id = ?1 and compared_key = ?2 and audience = ?3 and forgotten_at is null and status in ('unverified', 'verified')
    and content_hash in (?4, ?5, ?6) limit ?7`

/** Of these, those in which all else is the same and that are live, or not. The content of no other record is read. */
const SAME = `select ${RECORD} from (select value from json_each(?1)) as named cross join records on seq = named.value
  where workspace_id = ?2 and audience = ?3 and forgotten_at is null and source_id is ?4 and (source_id is not null or author_id = ?5)
    and compared_key = ?6 and (status <> 'superseded' and (expires_at is null or expires_at > ?7)) = ?8
  order by seq desc`

/** What a write looks for: the newest record with the same fields and a number below `beforeSeq` that is live at the time `now`, or that is not. */
type Wanted = { saved: SavedFields; now: number; isLive: boolean; beforeSeq: number }

/** Result of a scan before a write: the record that is wanted among those up to number `upTo`, if there is one. `times`: how often was scanned for it. */
type Scan = { upTo: number; same: RecordHead | undefined; times: number }

/** More records have the same content than a write should examine. */
class TooManyAlike extends Error {
  constructor(readonly wanted: Wanted) {
    super('too many records have this content')
  }
}

export type SameReads = Pick<ProjectWrites, 'findSame' | 'findOutdated'>

/** The verbs that find repeated saves, and writes that may use them. */
export type SameSaves = {
  verbs: SameReads
  write: <T>(act: () => Promise<T>) => Promise<T>
}

const isWanted = ({ status, expiresAt }: RecordHead, { now, isLive }: Wanted) =>
  (status !== 'superseded' && (expiresAt === null || expiresAt > now)) === isLive

/** The same for what an act asks again when it runs again. */
const nameOf = ({ saved: { workspaceId, audience, authorId, sourceId, factKey, content }, isLive, beforeSeq }: Wanted) =>
  JSON.stringify([isLive, beforeSeq, workspaceId, audience, authorId, sourceId, factKey, content])

/**
 * The index finds records by the hash of their content only, and any number of records may have the same content. A write examines a few of them; if there
 * are more, those of the same source or of the same fact key, if these are few. If there are more of those too, the write is rolled back, all are scanned in
 * steps that yield to other work, and it runs again.
 */
export function createSameSaves({ reader, connection, writer }: Pick<SqliteFile, 'reader' | 'connection' | 'writer'>): SameSaves {
  const inside = createSteps(connection)
  const committed = createSteps(reader)
  const lastSeq = reader.statement<{ seq: number | null }, []>('select max(seq) as seq from records')
  const byId = connection.statement<HeadRow, [string]>(`select ${HEAD} from records where id = ? and forgotten_at is null`)
  /** What the running act knows, by the name of what it wants; acts run one after the other. */
  let known = new Map<string, Scan>()

  function find(wanted: Wanted): RecordHead | undefined {
    const scanned = known.size === 0 ? undefined : known.get(nameOf(wanted))
    for (const { heads, isFull } of inside.byContent(wanted, scanned?.upTo ?? 0)) {
      if (heads[0] !== undefined) return heads[0]
      if (!isFull || (scanned?.times ?? 0) >= MAX_SCANS) continue
      const few = inside.amongFew(wanted)
      if (few === undefined) throw new TooManyAlike(wanted)
      return few[0]
    }
    const again = scanned?.same === undefined ? null : byId.get(scanned.same.id)
    return again !== null && isWanted(toHead(again), wanted) ? toHead(again) : undefined
  }

  async function scan(wanted: Wanted): Promise<Omit<Scan, 'times'>> {
    const upTo = lastSeq.get()?.seq ?? 0
    for (const { heads } of committed.byContent(wanted, 0)) {
      if (heads[0] !== undefined) return { upTo, same: heads[0] }
      await yieldIfDue()
    }
    return { upTo, same: undefined }
  }

  return {
    verbs: {
      findSame: async (saved, now) => find({ saved, now, isLive: true, beforeSeq: Number.MAX_SAFE_INTEGER }),
      findOutdated: async (saved, now, beforeSeq) => find({ saved, now, isLive: false, beforeSeq }),
    },
    write: async (act) => {
      const scans = new Map<string, Scan>()
      const run = () => {
        known = scans
        return act()
      }
      for (;;) {
        try {
          return await writer.write(run)
        } catch (error) {
          if (!(error instanceof TooManyAlike)) throw error
          const name = nameOf(error.wanted)
          scans.set(name, { ...(await scan(error.wanted)), times: (scans.get(name)?.times ?? 0) + 1 })
        }
      }
    },
  }
}

/** `isFull` if there are more rows of the content. */
type Step = { heads: RecordHead[]; isFull: boolean }

type Steps = {
  /** What is wanted and was saved after a number, in steps of `EXAMINED_ROWS` rows; newest first for each hash that the content may have. */
  byContent: (wanted: Wanted, afterSeq: number) => Generator<Step>
  /** All that is wanted, newest first; undefined if more than `EXAMINED_ROWS` records have the source, and more than that the fact key and the content. */
  amongFew: (wanted: Wanted) => RecordHead[] | undefined
}

function createSteps(client: Connection): Steps {
  const any = client.statement<unknown, [hash: number, second: number, third: number, afterSeq: number, beforeSeq: number]>(ANY_ALIKE)
  const alike = client.statement<{ seq: number }, [hash: number, afterSeq: number, beforeSeq: number, examine: number]>(ALIKE)
  const ofSource = client.statement<
    { seq: number },
    [workspaceId: number, sourceId: string, audience: string, beforeSeq: number, most: number]
  >(OF_SOURCE)
  const ofKey = client.statement<{ seq: number }, [workspaceId: number, key: string, audience: string, ...ThreeHashes, most: number]>(
    OF_KEY,
  )
  const same = client.statement<
    RecordRow,
    [
      seqs: string,
      workspaceId: number,
      audience: string,
      sourceId: string | null,
      authorId: string,
      key: string,
      now: number,
      live: boolean,
    ]
  >(SAME)

  function filter({ saved, now, isLive }: Wanted, rows: { seq: number }[], comparable: string): RecordHead[] {
    if (rows.length === 0) return []
    const { workspaceId, audience, sourceId, authorId, factKey } = saved
    const seqs = JSON.stringify(rows.map(({ seq }) => seq))
    return same
      .all(seqs, workspaceId, audience, sourceId, authorId, toComparableKey(factKey), now, isLive)
      .map(toRecord)
      .filter((one) => toComparableContent(one.content) === comparable)
      .map(withoutContent)
  }

  function* byContent(wanted: Wanted, afterSeq: number): Generator<Step> {
    const comparable = toComparableContent(wanted.saved.content)
    const hashes = toContentHashes(wanted.saved.content, comparable)
    if (any.get(...threeOf(hashes), afterSeq, wanted.beforeSeq) === null) return
    for (const hash of hashes) {
      for (let beforeSeq: number | undefined = wanted.beforeSeq; beforeSeq !== undefined; ) {
        const rows: { seq: number }[] = alike.all(hash, afterSeq, beforeSeq, EXAMINED_ROWS)
        beforeSeq = rows.length < EXAMINED_ROWS ? undefined : rows.at(-1)?.seq
        yield { heads: filter(wanted, rows, comparable), isFull: beforeSeq !== undefined }
      }
    }
  }

  function amongFew(wanted: Wanted): RecordHead[] | undefined {
    const { saved, isLive, beforeSeq } = wanted
    const comparable = toComparableContent(saved.content)
    const most = EXAMINED_ROWS + 1
    const { workspaceId, audience, sourceId } = saved
    const rowsOfSource = sourceId === null ? undefined : ofSource.all(workspaceId, sourceId, audience, beforeSeq, most)
    if (rowsOfSource !== undefined && rowsOfSource.length < most) return filter(wanted, rowsOfSource, comparable)
    if (!isLive) return undefined
    const hashes = threeOf(toContentHashes(saved.content, comparable))
    const rowsOfKey = ofKey.all(workspaceId, toComparableKey(saved.factKey), audience, ...hashes, most)
    return rowsOfKey.length < most ? filter(wanted, rowsOfKey, comparable) : undefined
  }

  return { byContent, amongFew }
}

type ThreeHashes = [first: number, second: number, third: number]

/** The hashes of a content, of which there are one to three, as three parameters. */
function threeOf([first = 0, second = first, third = first]: number[]): ThreeHashes {
  return [first, second, third]
}

const withoutContent = ({ content: _content, ...head }: StoredRecord): RecordHead => head
