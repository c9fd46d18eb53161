import { DAY_MS } from '../../clock.ts'

/** Preferred size of a segment before compression, in bytes. */
export const SEGMENT_BYTES = 2 ** 20
/** Maximum size of a segment: a line that is longer than the preferred size is sent alone. */
export const MAX_SEGMENT_BYTES = 4 * 2 ** 20
/** Maximum size of a request's body, compressed. */
export const MAX_COMPRESSED_BYTES = 1.5 * 2 ** 20
/** Maximum number of sources in one request for heads. */
export const MAX_HEADS = 500
/** Maximum number of generations of a source; a program that rewrites a file more often is broken. */
export const MAX_GENERATIONS = 10_000

/** The assistants whose histories are accepted. */
export const ASSISTANTS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot']

/** The chain before the first segment. */
export const FIRST_CHAIN = '0'.repeat(64)

/** A time further in the future than this comes from a wrong clock. */
const MAX_AHEAD_MS = DAY_MS

/** A time in milliseconds since 1970; null if it cannot be right, because it is in the future. */
export const toPastTime = (at: number | null, now: number): number | null => (at !== null && at > now + MAX_AHEAD_MS ? null : at)
