import { and, asc, desc, eq } from 'drizzle-orm'
import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { isOwn, toColumns } from '../engine.ts'
import type { HistoryEngine, HistoryWriteEngine } from './tables.ts'

type SuggestionReads = Pick<HistoryReads, 'findSuggestion' | 'listSuggestions'>
type SuggestionWrites = Pick<HistoryWrites, 'insertSuggestions' | 'updateSuggestion' | 'eraseSuggestions'>

/** The suggestions of an owner or of a source. */
const isOf = ({ tables: { suggestions } }: HistoryEngine, of: { ownerId: string } | { sourceId: string }) =>
  'ownerId' in of ? eq(suggestions.ownerId, of.ownerId) : eq(suggestions.sourceId, of.sourceId)

export function createSuggestionReads(engine: HistoryEngine): SuggestionReads {
  const { db, tables } = engine
  const { suggestions } = tables
  const select = () => db.select(toColumns(suggestions)).from(suggestions)
  return {
    findSuggestion: async (id) => (await select().where(and(isOwn(engine, suggestions), eq(suggestions.id, id))))[0],
    listSuggestions: async ({ of, state, limit }) => {
      const isInState = state === undefined ? undefined : eq(suggestions.state, state)
      return select()
        .where(and(isOwn(engine, suggestions), isOf(engine, of), isInState))
        .orderBy(desc(suggestions.createdAt), asc(suggestions.id))
        .limit(limit)
    },
  }
}

export function createSuggestionWrites(engine: HistoryWriteEngine): SuggestionWrites {
  const { db, own, tables, erased } = engine
  const { suggestions } = tables
  return {
    insertSuggestions: async (made) => {
      if (made.length > 0) await db.insert(suggestions).values(made.map((one) => ({ ...own, ...one })))
    },
    updateSuggestion: async (id, change) => {
      if (change.text !== undefined) erased()
      const isMeant = and(isOwn(engine, suggestions), eq(suggestions.id, id))
      await db.update(suggestions).set(change).where(isMeant)
    },
    eraseSuggestions: async (of) => {
      erased()
      const isOpen = 'ownerId' in of ? eq(suggestions.state, 'open') : undefined
      await db.delete(suggestions).where(and(isOwn(engine, suggestions), isOf(engine, of), isOpen))
    },
  }
}
