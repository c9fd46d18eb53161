import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { AddressWishReads, AddressWishWrites } from '../../address-wish.ts'
import { addressWishes } from '../schema/address-wish.ts'
import { members } from '../schema/control.ts'

export function createAddressWishReads(db: BunSQLiteDatabase): AddressWishReads {
  return {
    findAddressWish: async (memberId) => db.select().from(addressWishes).where(eq(addressWishes.memberId, memberId)).get(),
    listAddressWishes: async (accountId, limit) =>
      db
        .select(getTableColumns(addressWishes))
        .from(addressWishes)
        .innerJoin(members, eq(members.id, addressWishes.memberId))
        .where(and(eq(members.accountId, accountId), isNull(members.removedAt)))
        .orderBy(asc(addressWishes.wishedAt))
        .limit(limit)
        .all(),
  }
}

export function createAddressWishWrites(db: BunSQLiteDatabase): AddressWishWrites {
  return {
    saveAddressWish: async (wish) =>
      void db.insert(addressWishes).values(wish).onConflictDoUpdate({ target: addressWishes.memberId, set: wish }).run(),
    deleteAddressWish: async (memberId) => void db.delete(addressWishes).where(eq(addressWishes.memberId, memberId)).run(),
  }
}
