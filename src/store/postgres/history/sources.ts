import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistoryReads, type HistorySource, type HistoryWrites } from '../../history.ts'
import { isOf, type Scope } from '../project/scope.ts'
import { historySources as sources } from '../schema/history.ts'
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

const { projectId: _projectId, number: _number, ...SOURCE } = getTableColumns(sources)

/** Of one session: sessions have dozens. */
const MAX_SUBAGENTS = 1_000

export function createSourceReads(scope: Scope): SourceReads {
  const { run } = scope
  const hasLines = and(gt(sources.lines, 0), isNull(sources.forgottenAt))
  const list = (condition: SQL | undefined, order: SQL[], limit: number): Promise<HistorySource[]> =>
    run(({ db }) =>
      db
        .select(SOURCE)
        .from(sources)
        .where(and(isOf(sources, scope), condition))
        .orderBy(...order)
        .limit(limit),
    )
  return {
    findSource: async (id) => (await list(eq(sources.id, id), [asc(sources.id)], 1))[0],
    findSourceByKey: async (ownerId, assistant, sourceKey) => {
      const isIt = [eq(sources.ownerId, ownerId), eq(sources.assistant, assistant), eq(sources.sourceKey, sourceKey)]
      return (await list(and(...isIt, isNull(sources.forgottenAt)), [asc(sources.id)], 1))[0]
    },
    listSources: ({ ownerId, assistant, kind, before, limit }) => {
      const isBefore = before && sql`(${sources.activeAt}, ${sources.id}) < (${before.activeAt}::bigint, ${before.id}::text collate "C")`
      const condition = and(
        eq(sources.ownerId, ownerId),
        hasLines,
        assistant === undefined ? undefined : eq(sources.assistant, assistant),
        kind && eq(sources.kind, kind),
        isBefore,
      )
      return list(condition, [desc(sources.activeAt), desc(sources.id)], limit)
    },
    findSourcesNamed: (ownerId, beginning, limit) => {
      const isNamed = sql`(starts_with(${sources.id}, ${beginning}) or starts_with(${sources.sessionId}, ${beginning}))`
      const order = [sql`${sources.sessionId} <> ${beginning}`, asc(sources.kind), asc(sources.id)]
      return list(and(eq(sources.ownerId, ownerId), hasLines, isNamed), order, limit)
    },
    listSubagents: (ownerId, assistant, sessionId) => {
      const isOfSession = [eq(sources.ownerId, ownerId), eq(sources.assistant, assistant), eq(sources.parentSessionId, sessionId)]
      return list(and(...isOfSession, eq(sources.kind, 'subagent'), hasLines), [asc(sources.activeAt), asc(sources.id)], MAX_SUBAGENTS)
    },
    listAllSources: ({ ownerId, afterId = '', limit }) => {
      const isOwn = ownerId === undefined ? undefined : eq(sources.ownerId, ownerId)
      return list(and(gt(sources.id, afterId), isNull(sources.forgottenAt), isOwn), [asc(sources.id)], limit)
    },
    listIdleSources: (receivedBefore, limit) =>
      list(and(lt(sources.receivedAt, receivedBefore), hasLines), [asc(sources.receivedAt)], limit),
    listErased: (limit) => {
      const hasErased = sql`exists (select 1 from history_lines as line
        where line.project_id = ${sources.projectId} and line.source = ${sources.number} and line.line <= ${sources.erasedLines})`
      const isErased = sql`(${sources.erasedLines} > 0 or ${sources.forgottenAt} is not null) and (${sources.forgottenAt} is not null or ${hasErased})`
      return list(isErased, [asc(sources.number)], limit)
    },
  }
}

export function createSourceWrites(scope: Scope, countBytes: CountBytes): SourceWrites {
  const { run, projectId } = scope
  const isSource = (id: string) => and(isOf(sources, scope), eq(sources.id, id))
  return {
    insertSource: async (source) => {
      const number = sql`(select coalesce(max(number), 0) + 1 from history_sources where project_id = ${projectId})`
      await run(({ db }) => db.insert(sources).values({ projectId, number, ...source }))
      await countBytes(source.ownerId, HISTORY_ROW_BYTES.source)
    },
    updateSource: (id, change) => run(async ({ db }) => void (await db.update(sources).set(change).where(isSource(id)))),
    eraseSource: async (id) => {
      const [erased] = await run(({ db }) => db.delete(sources).where(isSource(id)).returning({ ownerId: sources.ownerId }))
      if (erased !== undefined) await countBytes(erased.ownerId, -HISTORY_ROW_BYTES.source)
    },
  }
}
