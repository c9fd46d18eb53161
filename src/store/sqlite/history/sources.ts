import { and, asc, eq, getTableColumns, gt, isNull, lt } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { HISTORY_ROW_BYTES, type HistoryReads, type HistorySource, type HistoryWrites, MAX_LINES } from '../../history.ts'
import { toSelectList } from '../columns.ts'
import type { Connection } from '../connection.ts'
import { sources } from '../schema/history.ts'
import type { CountBytes } from './owners.ts'

type SourceReads = Pick<
  HistoryReads,
  | 'findSource'
  | 'findSourceByKey'
  | 'listSources'
  | 'findSourcesNamed'
  | 'listSubagents'
  | 'listAllSources'
  | 'listIdleSources'
  | 'listErased'
>
type SourceWrites = Pick<HistoryWrites, 'insertSource' | 'updateSource' | 'eraseSource'>

const { number: _number, ...COLUMNS } = getTableColumns(sources)
const SOURCE = toSelectList(COLUMNS)

/** In the order of its index, which contains only sources with lines. */
const PAGE = `select ${SOURCE} from sources indexed by sources_by_activity
  where owner_id = ?1 and lines > 0 and forgotten_at is null and (?2 is null or assistant = ?2) and (?3 is null or kind = ?3)
    and (active_at, id) < (?4, ?5) order by active_at desc, id desc limit ?6`

/** Reads only the index, in which the owner's sources with lines are together. */
const NAMED = `select id from sources indexed by sources_by_session where owner_id = ?1 and lines > 0 and forgotten_at is null
  and (substr(id, 1, length(?2)) = ?2 or substr(session_id, 1, length(?2)) = ?2)`

const ERASED = `select ${SOURCE} from sources as s indexed by sources_erased where (erased_lines > 0 or forgotten_at is not null)
  and (forgotten_at is not null or exists (select 1 from lines as l where l.id between s.number * ${MAX_LINES} and s.number * ${MAX_LINES} + s.erased_lines))
  limit ?`

/** Maximum number of subagents of a session; real sessions have dozens. */
const MAX_SUBAGENTS = 1_000

const BEHIND_ALL = '\u{10ffff}'

export function createSourceReads(client: Connection, db: BunSQLiteDatabase): SourceReads {
  const page = client.statement<HistorySource, [string, string | null, string | null, number, string, number]>(PAGE)
  const named = client.statement<HistorySource, [string, string, number]>(
    `select ${SOURCE} from sources where id in (${NAMED}) order by session_id <> ?2, kind, id limit ?3`,
  )
  const erased = client.statement<HistorySource, [number]>(ERASED)
  const hasLines = and(gt(sources.lines, 0), isNull(sources.forgottenAt))
  return {
    findSource: async (id) => db.select(COLUMNS).from(sources).where(eq(sources.id, id)).get(),
    findSourceByKey: async (ownerId, assistant, sourceKey) =>
      db
        .select(COLUMNS)
        .from(sources)
        .where(
          and(
            eq(sources.ownerId, ownerId),
            eq(sources.assistant, assistant),
            eq(sources.sourceKey, sourceKey),
            isNull(sources.forgottenAt),
          ),
        )
        .get(),
    listSources: async ({ ownerId, assistant = null, kind = null, before, limit }) =>
      page.all(ownerId, assistant, kind, before?.activeAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? BEHIND_ALL, limit),
    findSourcesNamed: async (ownerId, beginning, limit) => named.all(ownerId, beginning, limit),
    listSubagents: async (ownerId, assistant, sessionId) =>
      db
        .select(COLUMNS)
        .from(sources)
        .where(
          and(
            eq(sources.ownerId, ownerId),
            eq(sources.assistant, assistant),
            eq(sources.parentSessionId, sessionId),
            eq(sources.kind, 'subagent'),
            hasLines,
          ),
        )
        .orderBy(asc(sources.activeAt), asc(sources.id))
        .limit(MAX_SUBAGENTS)
        .all(),
    listAllSources: async ({ ownerId, afterId = '', limit }) =>
      db
        .select(COLUMNS)
        .from(sources)
        .where(and(gt(sources.id, afterId), isNull(sources.forgottenAt), ownerId === undefined ? undefined : eq(sources.ownerId, ownerId)))
        .orderBy(asc(sources.id))
        .limit(limit)
        .all(),
    listIdleSources: async (receivedBefore, limit) =>
      db
        .select(COLUMNS)
        .from(sources)
        .where(and(lt(sources.receivedAt, receivedBefore), hasLines))
        .orderBy(asc(sources.receivedAt))
        .limit(limit)
        .all(),
    listErased: async (limit) => erased.all(limit),
  }
}

export function createSourceWrites(client: Connection, db: BunSQLiteDatabase, countBytes: CountBytes): SourceWrites {
  const next = client.statement<{ number: number }, []>('select coalesce(max(number), 0) + 1 as number from sources')
  return {
    insertSource: async (source) => {
      db.insert(sources)
        .values({ ...source, number: next.get()?.number ?? 1 })
        .run()
      countBytes(source.ownerId, HISTORY_ROW_BYTES.source)
    },
    updateSource: async (id, change) => void db.update(sources).set(change).where(eq(sources.id, id)).run(),
    eraseSource: async (id) => {
      const [erased] = db.delete(sources).where(eq(sources.id, id)).returning({ ownerId: sources.ownerId }).all()
      if (erased !== undefined) countBytes(erased.ownerId, -HISTORY_ROW_BYTES.source)
    },
  }
}
