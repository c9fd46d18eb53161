/** Longest word that is compared, in UTF-16 units; no term of the index is longer. */
const MAX_TERM_CHARACTERS = 64

/** Scratch memory for three rows of the table. Shared by all calls, which is safe because a call never yields. */
const scratch = [
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
] as const

/**
 * Edit distance between two words: letters added, left out, replaced, or swapped with the next (optimal string
 * alignment). `max` + 1 if it exceeds `max` or a word has more than 64 UTF-16 units. Time is in proportion to the
 * product of the lengths.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || Math.max(a.length, b.length) > MAX_TERM_CHARACTERS) return max + 1
  let [beforeLast, last, row]: [Uint8Array, Uint8Array, Uint8Array] = [...scratch]
  for (let at = 0; at <= b.length; at++) last[at] = at
  for (let line = 1; line <= a.length; line++) {
    if (fillRow(a, b, line, row, last, beforeLast) > max) return max + 1
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return Math.min(last[b.length] ?? 0, max + 1)
}

/** Fills the row of the table for the first `line` letters of `a` from the two rows before it. Returns its minimum. */
function fillRow(
  a: string,
  b: string,
  line: number,
  row: Uint8Array,
  last: Uint8Array,
  beforeLast: Uint8Array,
): number {
  const letter = a.charCodeAt(line - 1)
  let left = line
  let least = line
  row[0] = line
  for (let at = 1; at <= b.length; at++) {
    const other = b.charCodeAt(at - 1)
    let best = Math.min((last[at - 1] ?? 0) + (letter === other ? 0 : 1), (last[at] ?? 0) + 1, left + 1)
    const isSwapped = line > 1 && at > 1 && letter === b.charCodeAt(at - 2) && a.charCodeAt(line - 2) === other
    if (isSwapped) best = Math.min(best, (beforeLast[at - 2] ?? 0) + 1)
    row[at] = best
    left = best
    least = Math.min(least, best)
  }
  return least
}
