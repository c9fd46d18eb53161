import { createRing, type Ring } from '../../../../cache/ring.ts'

/**
 * Posting lists read last, of all projects of a store. Key: the version of a project's file (no two files ever have the same), the longest list wanted, and the
 * match expression. Bound: 1 MiB of record numbers, written round and round, and 4 096 lists. Invalid when the file changes, which is part of the key. Owned by the
 * store. Without it the median of bench/search.ts is 1.4 times as long at 100 000 records: queries share their common terms, whose lists take longest to read.
 */
export type PostingListCache = Ring<string>

const MAX_CACHED_NUMBERS = 1 << 18
const MAX_CACHED_LISTS = 1 << 12

export const createPostingListCache = (): PostingListCache => createRing({ maxNumbers: MAX_CACHED_NUMBERS, maxEntries: MAX_CACHED_LISTS })

/** What reads of committed data may cache by: the version of the file, a number that no other opening of a file has, and where posting lists are cached. */
export type Caching = { version: () => number; opening: number; postingLists: PostingListCache }
