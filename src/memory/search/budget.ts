/**
 * Work that one call may still do beyond looking up its words: counted down as it is done, over everything the call asks, so that no
 * question costs much more than another. Only what the caller may see is counted: what is hidden uses up nothing.
 */
export type Budget = {
  /** Terms listed to find what a word that no record holds may stand for: some 30 ms. */
  terms: number
  /** Matches looked at to leave out those that are stale or of another status: some 40 ms. */
  matches: number
}

export const toBudget = (): Budget => ({ terms: 32_768, matches: 20_000 })
