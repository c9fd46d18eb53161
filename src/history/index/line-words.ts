/** The words of one line. */
export type LineWords = { line: number; words: number[] }

/** Of a word a line keeps 16 bits: which passages have the whole word is known before. */
const KEY_BITS = 0xffff

/** For each line its place after the first one, the number of its words, and the last 16 bits of each. */
export function packLineWords(first: number, lines: LineWords[]): Uint8Array {
  return new Uint8Array(
    Uint16Array.from(lines.flatMap(({ line, words }) => [line - first, words.length, ...words])).buffer,
  )
}

/** The lines that have any of some groups of words, with the positions of these groups. */
export function findLines(
  { first, lines }: { first: number; lines: Uint8Array },
  groups: number[][],
): { line: number; groups: number[] }[] {
  const wanted = new Map<number, number>()
  for (const [at, group] of groups.entries()) for (const word of group) wanted.set(word & KEY_BITS, at)
  const numbers = new Uint16Array(lines.slice().buffer)
  const found: { line: number; groups: number[] }[] = []
  for (let at = 0; at < numbers.length; ) {
    const [place = 0, count = 0] = [numbers[at], numbers[at + 1]]
    const has = new Set<number>()
    for (const key of numbers.subarray(at + 2, at + 2 + count)) {
      const group = wanted.get(key)
      if (group !== undefined) has.add(group)
    }
    at += 2 + count
    if (has.size > 0) found.push({ line: first + place, groups: [...has] })
  }
  return found
}
