/** An address that a member wants in place of their present one. */
export type AddressWish = { memberId: string; email: string /** Milliseconds since 1970. */; wishedAt: number }

export type AddressWishReads = {
  findAddressWish: (memberId: string) => Promise<AddressWish | undefined>
  /** At most `limit` wishes of members of an account who are not removed, the oldest first. */
  listAddressWishes: (accountId: string, limit: number) => Promise<AddressWish[]>
}

export type AddressWishWrites = {
  /** Replaces the one before. */
  saveAddressWish: (wish: AddressWish) => Promise<void>
  deleteAddressWish: (memberId: string) => Promise<void>
}
