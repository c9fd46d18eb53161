import { createRing, type Ring } from '../../../../cache/ring.ts'

/**
 * Recently read posting lists, of all projects of a store. Key: the version of a project's file (unique among files),
 * the maximum list length, and the match expression. Bound: 4 MiB of record numbers in a circular buffer, and 4 096
 * lists. Invalidated by a change of the file, whose version is part of the key. Owned by the store. Without it the
 * median of bench/search.ts is 1.4 times as long at 100 000 records, since queries share their common terms, whose
 * lists take longest to read.
 */
type PostingListCache = Ring<string>

const MAX_CACHED_NUMBERS = 1 << 20
const MAX_CACHED_LISTS = 1 << 12

export const createPostingListCache = (): PostingListCache =>
  createRing({ maxNumbers: MAX_CACHED_NUMBERS, maxEntries: MAX_CACHED_LISTS })

/**
 * What caches of committed reads need: the version of the file, a number unique to this opening of the file, and the
 * cache of posting lists.
 */
export type Caching = { version: () => number; opening: number; postingLists: PostingListCache }
