import { and, asc, eq, isNull, lte, max, sql } from 'drizzle-orm'
import { sumBytes } from '../../history.ts'
import type { HistoryReads, HistoryWrites } from '../../history-verbs.ts'
import { isOwn, toKey } from '../engine.ts'
import type { HistoryEngine } from './tables.ts'

/** Adds to the bytes that an owner has stored; a negative number subtracts. */
export type CountBytes = (ownerId: string, bytes: number) => Promise<void>

export function createOwnerReads(engine: HistoryEngine): Pick<HistoryReads, 'readHistoryUsage' | 'listOwners'> {
  const { db, tables } = engine
  const { owners, sources } = tables
  const listOwners = () =>
    db
      .select({ id: owners.ownerId, bytes: owners.bytes, agreedAt: owners.agreedAt })
      .from(owners)
      .where(isOwn(engine, owners))
      .orderBy(asc(owners.ownerId))
      .execute()
  return {
    readHistoryUsage: async (ownerId) => {
      const isOwner = ownerId === undefined ? undefined : eq(sources.ownerId, ownerId)
      const withLines = sql<number>`count(*) filter (where ${sources.lines} > 0)`.mapWith(Number)
      const [listed] = await db
        .select({ sources: withLines, receivedAt: max(sources.receivedAt) })
        .from(sources)
        .where(and(isOwn(engine, sources), isNull(sources.forgottenAt), isOwner))
      const counted = (await listOwners()).filter(({ id }) => ownerId === undefined || id === ownerId)
      return { bytes: sumBytes(counted), sources: listed?.sources ?? 0, receivedAt: listed?.receivedAt ?? null }
    },
    listOwners,
  }
}

/** An owner with nothing stored, who has not agreed to suggestions, is removed from the list. */
export function createOwnerWrites(
  engine: HistoryEngine,
): Pick<HistoryWrites, 'setAgreed'> & { countBytes: CountBytes } {
  const { db, own, tables } = engine
  const { owners } = tables
  const target = toKey(engine, owners, owners.ownerId)
  const removeIdle = async (ownerId: string) => {
    const isIdle = and(lte(owners.bytes, 0), isNull(owners.agreedAt))
    await db.delete(owners).where(and(isOwn(engine, owners), eq(owners.ownerId, ownerId), isIdle))
  }
  return {
    countBytes: async (ownerId, bytes) => {
      const set = { bytes: sql`${owners.bytes} + ${bytes}` }
      await db
        .insert(owners)
        .values({ ...own, ownerId, bytes })
        .onConflictDoUpdate({ target, set })
      if (bytes < 0) await removeIdle(ownerId)
    },
    setAgreed: async (ownerId, agreedAt) => {
      const set = { agreedAt }
      await db
        .insert(owners)
        .values({ ...own, ownerId, bytes: 0, agreedAt })
        .onConflictDoUpdate({ target, set })
      await removeIdle(ownerId)
    },
  }
}
