import { sql } from 'drizzle-orm'

/**
 * The least version that a change gives: the time in microseconds. Counted on alone, versions that are in the caches of
 * an instance would come again, and mean something else, once a standby is promoted without the last commits.
 */
export const NEXT_VERSION = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
