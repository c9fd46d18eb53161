import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistorySource, MAX_LINES, type SourceFilter } from '../../history.ts'
import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { isOwn, toColumns } from '../engine.ts'
import type { CountBytes } from './owners.ts'
import type { HistoryEngine } from './tables.ts'

type SourceReads = Pick<
  HistoryReads,
  | 'findSource'
  | 'listSources'
  | 'listFoundSources'
  | 'findSourcesNamed'
  | 'listSubagents'
  | 'listAllSources'
  | 'listIdleSources'
  | 'listErased'
  | 'listUnexamined'
>
type SourceWrites = Pick<HistoryWrites, 'insertSource' | 'updateSource'>

/** Maximum number of subagents of a session; real sessions have dozens. */
const MAX_SUBAGENTS = 1_000

const isIf = <Value>(value: Value | undefined, toCondition: (value: Value) => SQL): SQL | undefined =>
  value === undefined ? undefined : toCondition(value)

export function createSourceReads(engine: HistoryEngine): SourceReads {
  const { db, tables, isAmong } = engine
  const { sources, lines } = tables
  const { number: _number, ...columns } = toColumns(sources)
  /** As partial indexes say it. */
  const hasLines = sql`${sources.lines} > 0 and ${sources.forgottenAt} is null`
  const list = async (condition: SQL | undefined, order: SQL[], limit: number): Promise<HistorySource[]> =>
    db
      .select(columns)
      .from(sources)
      .where(and(isOwn(engine, sources), condition))
      .orderBy(...order)
      .limit(limit)
  const LAST_FIRST = [desc(sources.activeAt), desc(sources.id)]
  const toCondition = ({ ownerId, assistant, kind, folder, gitBranch, since, until }: SourceFilter) =>
    and(
      eq(sources.ownerId, ownerId),
      hasLines,
      // Not looked up by: a page is read in the order of its index.
      isIf(assistant, (name) => sql`coalesce(${sources.assistant}, '') = ${sql.param(name, sources.assistant)}`),
      isIf(kind, (one) => eq(sources.kind, one)),
      isIf(folder, (path) => {
        const folders = sql`'/' || replace(${sources.cwd}, '\\', '/') || '/'`
        return sql`replace(${folders}, ${sql.param(`/${path}/`, sources.cwd)}, '') <> ${folders}`
      }),
      isIf(gitBranch, (name) => eq(sources.gitBranch, name)),
      isIf(since, (at) => gte(sources.activeAt, at)),
      isIf(until, (at) => sql`coalesce(${sources.firstAt}, ${sources.createdAt}) <= ${at}`),
    )
  return {
    findSource: async (by) => {
      if ('id' in by) return (await list(eq(sources.id, by.id), [], 1))[0]
      const { ownerId, assistant, sourceKey } = by
      const isNamed = and(
        eq(sources.ownerId, ownerId),
        eq(sources.assistant, assistant),
        eq(sources.sourceKey, sourceKey),
      )
      return (await list(and(isNamed, isNull(sources.forgottenAt)), [], 1))[0]
    },
    listSources: ({ before, limit, ...filter }) => {
      const condition = and(
        toCondition(filter),
        isIf(
          before,
          (place) =>
            sql`(${sources.activeAt}, ${sources.id}) < (${place.activeAt}, ${sql.param(place.id, sources.id)})`,
        ),
      )
      return list(condition, LAST_FIRST, limit)
    },
    listFoundSources: async ({ numbers, limit, ...filter }) =>
      db
        .select({ ...columns, number: sources.number })
        .from(sources)
        .where(and(isOwn(engine, sources), toCondition(filter), isAmong(sources.number, numbers)))
        .orderBy(...LAST_FIRST)
        .limit(limit),
    findSourcesNamed: (ownerId, text, limit) => {
      const beginning = sql.param(text, sources.id)
      const begins = (column: typeof sources.id | typeof sources.sessionId) =>
        sql`substr(${column}, 1, ${[...text].length}) = ${beginning}`
      const isNamed = and(
        eq(sources.ownerId, ownerId),
        hasLines,
        sql`(${begins(sources.id)} or ${begins(sources.sessionId)})`,
      )
      // By their ids, for which an index has all that is asked.
      const ids = db
        .select({ id: sources.id })
        .from(sources)
        .where(and(isOwn(engine, sources), isNamed))
      return list(
        inArray(sources.id, ids),
        [sql`${sources.sessionId} <> ${beginning}`, asc(sources.kind), asc(sources.id)],
        limit,
      )
    },
    listSubagents: (ownerId, assistant, sessionId) => {
      const isOfSession = and(
        eq(sources.ownerId, ownerId),
        eq(sources.assistant, assistant),
        eq(sources.parentSessionId, sessionId),
      )
      const condition = and(isOfSession, sql`${sources.kind} = 'subagent'`, hasLines)
      return list(condition, [asc(sources.activeAt), asc(sources.id)], MAX_SUBAGENTS)
    },
    listAllSources: ({ ownerId, afterId = '', limit }) =>
      list(
        and(
          gt(sources.id, afterId),
          isNull(sources.forgottenAt),
          isIf(ownerId, (id) => eq(sources.ownerId, id)),
        ),
        [asc(sources.id)],
        limit,
      ),
    listIdleSources: (receivedBefore, limit) =>
      list(and(lt(sources.receivedAt, receivedBefore), hasLines), [asc(sources.receivedAt)], limit),
    listUnexamined: (ownerId, receivedBefore, limit) => {
      // As the partial index says it.
      const isUnexamined = sql`kind = 'main' and lines > 0 and forgotten_at is null and examined_line < last_line`
      const isMeant = and(eq(sources.ownerId, ownerId), isUnexamined, lt(sources.receivedAt, receivedBefore))
      return list(isMeant, [desc(sources.activeAt)], limit)
    },
    listErased: (limit) => {
      const first = sql`${sources.number} * ${sql.raw(String(MAX_LINES))}`
      const ofErased = sql`${lines.id} between ${first} and ${first} + ${sources.erasedLines}`
      const hasErased = sql`exists (select 1 from ${lines} where ${and(isOwn(engine, lines), ofErased)})`
      const isErased = sql`(${sources.erasedLines} > 0 or ${sources.forgottenAt} is not null)`
      return list(
        and(isErased, sql`(${sources.forgottenAt} is not null or ${hasErased})`),
        [asc(sources.number)],
        limit,
      )
    },
  }
}

export function createSourceWrites(engine: HistoryEngine, countBytes: CountBytes): SourceWrites {
  const { db, own, tables } = engine
  const { sources } = tables
  const isSource = (id: string) => and(isOwn(engine, sources), eq(sources.id, id))
  return {
    insertSource: async (source) => {
      const [last] = await db
        .select({ number: sql<number>`coalesce(max(${sources.number}), 0)` })
        .from(sources)
        .where(isOwn(engine, sources))
      await db.insert(sources).values({ ...own, number: (last?.number ?? 0) + 1, ...source })
      await countBytes(source.ownerId, HISTORY_ROW_BYTES.source)
    },
    updateSource: async (id, change) => void (await db.update(sources).set(change).where(isSource(id))),
  }
}
