/** What an agent aims at: text of a segment before compression, in bytes. */
export const SEGMENT_BYTES = 2 ** 20
/** What is taken at most: a line that is longer than a segment goes alone. */
export const MAX_SEGMENT_BYTES = 4 * 2 ** 20
/** A request's body, compressed. */
export const MAX_COMPRESSED_BYTES = 1.5 * 2 ** 20
/** Sources asked for at once. */
export const MAX_HEADS = 500
/** Generations of one source: whatever rewrites a file so often is broken. */
export const MAX_GENERATIONS = 10_000

/** The assistants whose histories are taken. */
export const ASSISTANTS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot']

/** The chain before the first segment. */
export const FIRST_CHAIN = '0'.repeat(64)
