import { and, asc, eq, isNull, lte, max, sql } from 'drizzle-orm'
import type { HistoryReads } from '../../history.ts'
import { isOf, type Scope } from '../project/scope.ts'
import { historyOwners as owners, historySources as sources } from '../schema/history.ts'

/** Adds to the bytes that an owner has stored; a negative number takes off. Only inside a write. */
export type CountBytes = (ownerId: string, bytes: number) => Promise<void>

export function createOwnerReads(scope: Scope): Pick<HistoryReads, 'readHistoryBytes' | 'readHistoryUsage' | 'listOwners'> {
  const { run } = scope
  const sumOfBytes = sql<number>`coalesce(sum(${owners.bytes}), 0)::float8`
  const isOwner = (ownerId: string | undefined) => and(isOf(owners, scope), ownerId === undefined ? undefined : eq(owners.ownerId, ownerId))
  return {
    readHistoryBytes: () =>
      run(async ({ db }) => (await db.select({ bytes: sumOfBytes }).from(owners).where(isOwner(undefined)))[0]?.bytes ?? 0),
    readHistoryUsage: (ownerId) =>
      run(async ({ db }) => {
        const [stored] = await db.select({ bytes: sumOfBytes }).from(owners).where(isOwner(ownerId))
        const isOwn = ownerId === undefined ? undefined : eq(sources.ownerId, ownerId)
        const withLines = sql<number>`count(*) filter (where ${sources.lines} > 0)`.mapWith(Number)
        const [listed] = await db
          .select({ sources: withLines, receivedAt: max(sources.receivedAt) })
          .from(sources)
          .where(and(isOf(sources, scope), isNull(sources.forgottenAt), isOwn))
        return { bytes: stored?.bytes ?? 0, receivedAt: listed?.receivedAt ?? null, sources: listed?.sources ?? 0 }
      }),
    listOwners: () =>
      run(async ({ db }) => {
        const found = await db.select({ ownerId: owners.ownerId }).from(owners).where(isOwner(undefined)).orderBy(asc(owners.ownerId))
        return found.map(({ ownerId }) => ownerId)
      }),
  }
}

/** An owner of whom nothing is left is not listed. */
export function createCountBytes(scope: Scope): CountBytes {
  const { run, projectId } = scope
  return (ownerId, bytes) =>
    run(async ({ db }) => {
      await db
        .insert(owners)
        .values({ projectId, ownerId, bytes })
        .onConflictDoUpdate({ target: [owners.projectId, owners.ownerId], set: { bytes: sql`${owners.bytes} + ${bytes}` } })
      if (bytes < 0) await db.delete(owners).where(and(isOf(owners, scope), eq(owners.ownerId, ownerId), lte(owners.bytes, 0)))
    })
}
