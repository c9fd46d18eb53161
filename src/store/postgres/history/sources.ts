import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { HISTORY_ROW_BYTES, type HistoryReads, type HistorySource, type HistoryWrites } from '../../history.ts'
import { isOf, type Scope } from '../project/scope.ts'
import { historyGenerations as generations, historySegments as segments, historySources as sources } from '../schema/history.ts'
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
  | 'listEmptySources'
  | 'findGeneration'
  | 'listGenerations'
>
type SourceWrites = Pick<HistoryWrites, 'insertSource' | 'updateSource' | 'saveGeneration' | 'eraseSource'>

const { projectId: _ofSource, ...SOURCE } = getTableColumns(sources)
const { projectId: _ofGeneration, ...GENERATION } = getTableColumns(generations)

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
    listEmptySources: async (limit) => {
      const hasNone = sql`not exists (select 1 from ${segments} where ${isOf(segments, scope)} and ${segments.sourceId} = ${sources.id})`
      return (await list(and(isNotNull(sources.forgottenAt), hasNone), [asc(sources.id)], limit)).map(({ id }) => id)
    },
    findGeneration: (sourceId, generation) =>
      run(async ({ db }) => {
        const isIt = and(isOf(generations, scope), eq(generations.sourceId, sourceId), eq(generations.generation, generation))
        return (await db.select(GENERATION).from(generations).where(isIt))[0]
      }),
    listGenerations: (sourceId) =>
      run(({ db }) =>
        db
          .select(GENERATION)
          .from(generations)
          .where(and(isOf(generations, scope), eq(generations.sourceId, sourceId)))
          .orderBy(asc(generations.generation)),
      ),
  }
}

export function createSourceWrites(scope: Scope, countBytes: CountBytes): SourceWrites {
  const { run, projectId } = scope
  const isSource = (id: string) => and(isOf(sources, scope), eq(sources.id, id))
  return {
    insertSource: async (source) => {
      await run(({ db }) => db.insert(sources).values({ projectId, ...source }))
      await countBytes(source.ownerId, HISTORY_ROW_BYTES.source)
    },
    updateSource: (id, change) => run(async ({ db }) => void (await db.update(sources).set(change).where(isSource(id)))),
    saveGeneration: (generation) =>
      run(async ({ db }) => {
        const target = [generations.projectId, generations.sourceId, generations.generation]
        await db
          .insert(generations)
          .values({ projectId, ...generation })
          .onConflictDoUpdate({ target, set: generation })
      }),
    eraseSource: async (id) => {
      const [erased] = await run(async ({ db }) => {
        await db.delete(generations).where(and(isOf(generations, scope), eq(generations.sourceId, id)))
        return db.delete(sources).where(isSource(id)).returning({ ownerId: sources.ownerId })
      })
      if (erased !== undefined) await countBytes(erased.ownerId, -HISTORY_ROW_BYTES.source)
    },
  }
}
