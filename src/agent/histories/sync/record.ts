import type { HistorySource } from '../source.ts'
import type { SyncDatabase } from './database.ts'
import { decide, withSubagents } from './folders.ts'
import { FIRST_CHAIN } from './positions.ts'
import type { SyncSettings } from './settings.ts'
import { type Exclusion, stampOf, toName } from './sources.ts'
import { nameOf, type Target } from './target.ts'

/** A history of a target, as recorded in the database. */
type RecordedSource = {
  id: number
  sourceId: string | null
  sessionId: string
  stamp: string
  isDone: boolean
  isFailed: boolean
  /** Its file was deleted before it was completely uploaded. */
  isGone: boolean
  excluded: string | null
}

/** A history that belongs to a target. */
export type Pending = Pick<RecordedSource, 'id' | 'sourceId' | 'isDone' | 'isFailed'> & { source: HistorySource }

/** Number of histories recorded in one transaction. */
const BATCH_SOURCES = 100

/** Why histories that are recorded are not uploaded. */
const EXCLUSIONS = { included: null, excluded: 'by choice', unreadable: 'unreadable', outside: 'outside' } as const

/**
 * Records the histories that belong to the target, and returns them, newest first. Of other histories, only unreadable
 * ones are recorded, since they may belong to it. Rows that would not change are not written.
 */
export async function recordFound(
  { database, target }: { database: SyncDatabase; target: Target },
  settings: SyncSettings,
  found: HistorySource[],
  requireGoing: () => Promise<void>,
): Promise<Pending[]> {
  const name = nameOf(target)
  const included: Pending[] = []
  const wanted = withSubagents(settings, found)
  const recorded = readRecorded(database, name)
  const add = (source: HistorySource, one: RecordedSource | undefined) => {
    if (one?.excluded === null) included.push({ ...one, source })
  }
  const realPaths = new Map<string, string>()
  let batch: { source: HistorySource; exclusion: Exclusion | null }[] = []
  const noteBatch = database.transaction(() => {
    for (const { source, exclusion } of batch) add(source, noteSource(database, name, source, exclusion))
    batch = []
  })
  for (const source of found) {
    const exclusion = EXCLUSIONS[await decide(wanted, target, source, realPaths)]
    const one = recorded.get(toName(source))
    recorded.delete(toName(source))
    if (isRecorded(one, source, exclusion)) add(source, one)
    else batch.push({ source, exclusion })
    if (batch.length < BATCH_SOURCES) continue
    noteBatch.immediate()
    await requireGoing()
  }
  noteBatch.immediate()
  noteGone(database, recorded.values())
  return included.sort((a, b) => b.source.mtimeMs - a.source.mtimeMs)
}

/** Recorded for a history whose file was deleted before it was completely uploaded. */
const GONE = 'the file is gone'

type Row = Omit<RecordedSource, 'isDone' | 'isFailed' | 'isGone'> & {
  assistant: string
  sourceKey: string
  done: string | null
  failed: string | null
  failure: string | null
}

const COLUMNS = `id, assistant, source_key AS sourceKey, session_id AS sessionId, source_id AS sourceId, stamp, done_stamp AS done,
  failed_stamp AS failed, excluded, failure`

const toRecorded = ({ done, failed, failure, ...row }: Row): RecordedSource => ({
  ...row,
  isDone: done === row.stamp,
  isFailed: failed === row.stamp,
  isGone: failure === GONE,
})

/** All histories that are recorded of a target, by name. */
function readRecorded(database: SyncDatabase, target: string): Map<string, RecordedSource> {
  const rows = database.query<Row, [string]>(`SELECT ${COLUMNS} FROM sources WHERE target = ?`).all(target)
  return new Map(rows.map((row) => [toName(row), toRecorded(row)]))
}

/** Whether `noteSource` would change nothing. */
function isRecorded(recorded: RecordedSource | undefined, source: HistorySource, excluded: Exclusion | null): boolean {
  if (recorded === undefined) return excluded === 'outside'
  if (excluded === 'outside') return recorded.excluded === excluded || recorded.excluded === 'forgotten'
  return (
    (recorded.excluded === excluded || recorded.excluded === 'forgotten') &&
    (recorded.sessionId === source.sessionId || excluded === 'unreadable') &&
    !recorded.isGone &&
    recorded.stamp === stampOf(source)
  )
}

/**
 * Records a history that was found, and returns its known state. A forgotten one stays forgotten. Of one outside all
 * folders nothing is recorded, but that an earlier record of it is no longer uploaded: what the service has of it stays
 * there.
 */
function noteSource(
  database: SyncDatabase,
  target: string,
  source: HistorySource,
  excluded: Exclusion | null,
): RecordedSource | undefined {
  const { assistant, sourceKey, sessionId, kind, parentSessionId, bytes, mtimeMs } = source
  if (excluded === 'outside') {
    const sql =
      "UPDATE sources SET excluded = ? WHERE target = ? AND assistant = ? AND source_key = ? AND excluded IS NOT 'forgotten'"
    database.query(sql).run(excluded, target, assistant, sourceKey)
    return undefined
  }
  const { lastAt = new Date(mtimeMs).toISOString() } = source
  const subagentOf = kind === 'subagent' ? (parentSessionId ?? null) : null
  const row = database
    .query<Row, (string | number | null)[]>(
      `INSERT INTO sources (target, assistant, source_key, session_id, subagent_of, bytes, last_at, excluded, stamp, raw_end, chain, lines)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '${FIRST_CHAIN}', 0)
       ON CONFLICT (target, assistant, source_key) DO UPDATE SET
         session_id = CASE WHEN excluded.excluded = 'unreadable' THEN sources.session_id ELSE excluded.session_id END,
         subagent_of = coalesce(excluded.subagent_of, sources.subagent_of), bytes = excluded.bytes, last_at = excluded.last_at,
         stamp = excluded.stamp, failed_stamp = CASE WHEN failure = '${GONE}' THEN NULL ELSE failed_stamp END,
         failure = CASE WHEN failure = '${GONE}' THEN NULL ELSE failure END,
         excluded = CASE WHEN sources.excluded = 'forgotten' THEN 'forgotten' ELSE excluded.excluded END
       RETURNING ${COLUMNS}`,
    )
    .get(target, assistant, sourceKey, sessionId, subagentOf, bytes, lastAt, excluded, stampOf(source))
  return row === null ? undefined : toRecorded(row)
}

/**
 * Recorded histories that no longer exist on this machine. The service keeps what it has; the rest of incomplete ones is
 * lost.
 */
function noteGone(database: SyncDatabase, gone: Iterable<RecordedSource>): void {
  for (const { id, excluded, sourceId, isDone, isGone } of gone) {
    if (excluded === 'unreadable' && sourceId === null) database.query('DELETE FROM sources WHERE id = ?').run(id)
    if (excluded === null && !isDone && !isGone)
      database.query(`UPDATE sources SET failure = '${GONE}', failed_stamp = stamp WHERE id = ?`).run(id)
  }
}
