/** Letters added, left out, changed or swapped between two words; `most` + 1 where it is more than `most`. */
export function edits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const line = nextLine(one, other, row, above, before)
    if (Math.min(...line) > most) return most + 1
    before = above
    above = line
  }
  return Math.min(above[other.length] ?? 0, most + 1)
}

/** One line of the table of optimal string alignment. */
function nextLine(one: string, other: string, row: number, above: number[], before: number[]): number[] {
  const line = [row]
  for (let at = 1; at <= other.length; at++) {
    const same = one[row - 1] === other[at - 1]
    const swapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
    const kept = (above[at - 1] ?? 0) + (same ? 0 : 1)
    const swap = swapped ? (before[at - 2] ?? 0) + 1 : kept
    line.push(Math.min(kept, swap, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1))
  }
  return line
}
