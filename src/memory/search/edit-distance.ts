/** Longest word compared; terms are no longer. */
const MAX_TERM_CHARACTERS = 64
/** Three lines of the table, used in turn; nothing stays in them. */
const lines = [
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
  new Uint8Array(MAX_TERM_CHARACTERS + 1),
] as const

/** Letters added, left out, changed or swapped between two words; `most` + 1 where it is more, or a word has more than 64. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || Math.max(one.length, other.length) > MAX_TERM_CHARACTERS) return most + 1
  let [before, above, line]: [Uint8Array, Uint8Array, Uint8Array] = [...lines]
  for (let at = 0; at <= other.length; at++) above[at] = at
  for (let row = 1; row <= one.length; row++) {
    if (fillLine(one, other, row, line, above, before) > most) return most + 1
    ;[before, above, line] = [above, line, before]
  }
  return Math.min(above[other.length] ?? 0, most + 1)
}

/** One line of the table of optimal string alignment. Returns its least number. */
function fillLine(one: string, other: string, row: number, line: Uint8Array, above: Uint8Array, before: Uint8Array): number {
  const letter = one.charCodeAt(row - 1)
  let left = row
  let least = row
  line[0] = row
  for (let at = 1; at <= other.length; at++) {
    const facing = other.charCodeAt(at - 1)
    let best = Math.min((above[at - 1] ?? 0) + (letter === facing ? 0 : 1), (above[at] ?? 0) + 1, left + 1)
    const swapped = row > 1 && at > 1 && letter === other.charCodeAt(at - 2) && one.charCodeAt(row - 2) === facing
    if (swapped) best = Math.min(best, (before[at - 2] ?? 0) + 1)
    line[at] = best
    left = best
    least = Math.min(least, best)
  }
  return least
}
