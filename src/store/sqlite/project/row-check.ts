import type { records } from '../schema/project.ts'
import { CHECKED_NAMES } from './record-row.ts'

/**
 * A row of a record with all columns but the number, which its indexes repeat, and the tokens, which follow from the
 * content.
 */
export type CheckedRow = Pick<typeof records.$inferSelect, (typeof CHECKED_NAMES)[number]> & { content?: string }

/** Checksum of a row, by which damage is found except with a probability of 2^-32. */
export function toRowCheck(row: CheckedRow): number {
  const head = Bun.hash.crc32(JSON.stringify(CHECKED_NAMES.map((name) => row[name])))
  return row.content === undefined ? head : (head ^ Bun.hash.crc32(row.content)) >>> 0
}

/**
 * The checksum of a row after a change. The rows have no content if it does not change. Damage from before the change
 * is still found after it.
 */
export const toChangedCheck = (before: CheckedRow & { rowCheck: number }, after: CheckedRow): number =>
  (before.rowCheck ^ toRowCheck(before) ^ toRowCheck(after)) >>> 0
