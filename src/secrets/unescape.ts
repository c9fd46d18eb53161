/** A text without one level of backslash escapes. */
export type Unescaped = {
  text: string
  /** The place in the escaped text of a place in this one. */
  toEscaped: (at: number) => number
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["'\\/bfnrt]))/g
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Undefined where nothing is escaped. A backslash that escapes nothing stays. */
export function unescapeOnce(text: string): Unescaped | undefined {
  const parts: string[] = []
  /** From `at` on, places differ by `shift`. */
  const shifts: { at: number; shift: number }[] = []
  let from = 0
  let length = 0
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, code, letter = ''] = match
    parts.push(
      text.slice(from, match.index),
      code === undefined ? (CONTROLS[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    )
    length += match.index - from + 1
    from = match.index + whole.length
    shifts.push({ at: length, shift: from - length })
  }
  if (shifts.length === 0) return undefined
  parts.push(text.slice(from))
  return { text: parts.join(''), toEscaped: (at) => at + (shifts.findLast((one) => one.at <= at)?.shift ?? 0) }
}
