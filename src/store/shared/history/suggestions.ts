import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { HistoryReads, HistoryWrites } from '../../history.ts'
import { isOwn, toColumns, toKey } from '../engine.ts'
import type { HistoryEngine } from './tables.ts'

type SuggestionReads = Pick<
  HistoryReads,
  'listUnexamined' | 'findSuggestion' | 'listSuggestions' | 'listSuggestionOwners'
>
type SuggestionWrites = Pick<
  HistoryWrites,
  'insertSuggestions' | 'updateSuggestion' | 'eraseSuggestions' | 'saveSuggestionOwner'
>

export function createSuggestionReads(engine: HistoryEngine): SuggestionReads {
  const { db, tables } = engine
  const { sources, suggestions, suggestionOwners } = tables
  const { number: _number, ...columns } = toColumns(sources)
  const select = () => db.select(toColumns(suggestions)).from(suggestions)
  return {
    listUnexamined: async (ownerId, receivedBefore, limit) => {
      // As the partial index says it.
      const isUnexamined = sql`kind = 'main' and lines > 0 and forgotten_at is null and examined_line < last_line`
      const isMeant = and(eq(sources.ownerId, ownerId), isUnexamined, lt(sources.receivedAt, receivedBefore))
      return db
        .select(columns)
        .from(sources)
        .where(and(isOwn(engine, sources), isMeant))
        .orderBy(desc(sources.activeAt))
        .limit(limit)
    },
    findSuggestion: async (id) => (await select().where(and(isOwn(engine, suggestions), eq(suggestions.id, id))))[0],
    listSuggestions: async ({ ownerId, sourceId, states, after, limit }) => {
      const isMeant = and(
        isOwn(engine, suggestions),
        ownerId === undefined ? undefined : eq(suggestions.ownerId, ownerId),
        sourceId === undefined ? undefined : eq(suggestions.sourceId, sourceId),
        states === undefined ? undefined : inArray(suggestions.state, states),
        after === undefined ? undefined : gt(suggestions.id, after),
      )
      const order = after === undefined ? [desc(suggestions.createdAt), asc(suggestions.id)] : [asc(suggestions.id)]
      return select()
        .where(isMeant)
        .orderBy(...order)
        .limit(limit)
    },
    listSuggestionOwners: async () =>
      db.select(toColumns(suggestionOwners)).from(suggestionOwners).where(isOwn(engine, suggestionOwners)),
  }
}

export function createSuggestionWrites(engine: HistoryEngine): SuggestionWrites {
  const { db, own, tables } = engine
  const { suggestions, suggestionOwners } = tables
  return {
    insertSuggestions: async (made) => {
      if (made.length > 0) await db.insert(suggestions).values(made.map((one) => ({ ...own, ...one })))
    },
    updateSuggestion: async (id, change) => {
      await db
        .update(suggestions)
        .set(change)
        .where(and(isOwn(engine, suggestions), eq(suggestions.id, id)))
    },
    eraseSuggestions: async (of) => {
      const isMeant =
        'sourceId' in of
          ? eq(suggestions.sourceId, of.sourceId)
          : and(eq(suggestions.ownerId, of.ownerId), inArray(suggestions.state, of.states))
      await db.delete(suggestions).where(and(isOwn(engine, suggestions), isMeant))
    },
    saveSuggestionOwner: async (ownerId, agreedAt) => {
      if (agreedAt === undefined) {
        await db
          .delete(suggestionOwners)
          .where(and(isOwn(engine, suggestionOwners), eq(suggestionOwners.ownerId, ownerId)))
        return
      }
      await db
        .insert(suggestionOwners)
        .values({ ...own, ownerId, agreedAt })
        .onConflictDoUpdate({
          target: toKey(engine, suggestionOwners, suggestionOwners.ownerId),
          set: { agreedAt },
        })
    },
  }
}
