/** A string of a line of JSON: where it stands between its quotes, and what it says. */
type JsonString = { start: number; end: number; text: string }

/**
 * A line of JSON as a person reads it: each string decoded, all else as it stands. `strings` are in their order; `viewStarts` says where each begins in the text. A line
 * that is no JSON is one string without quotes.
 */
export type LineView = { line: string; isJson: boolean; text: string; strings: JsonString[]; viewStarts: number[] }

/** A part of a text, in UTF-16 units, and what is to stand in its place. */
export type Replacement = { start: number; end: number; by: string }

export function viewLine(line: string): LineView {
  if (!isJson(line)) return { line, isJson: false, text: line, strings: [{ start: 0, end: line.length, text: line }], viewStarts: [0] }
  const strings = readStrings(line)
  const parts: string[] = []
  const viewStarts: number[] = []
  let at = 0
  let length = 0
  for (const { start, end, text } of strings) {
    parts.push(line.slice(at, start), text)
    viewStarts.push(length + start - at)
    length += start - at + text.length
    at = end
  }
  parts.push(line.slice(at))
  return { line, isJson: true, text: parts.join(''), strings, viewStarts }
}

/** The line with parts of its view replaced. A part that spans several strings is replaced in each; what stands between strings remains. `replacements` do not overlap. */
export function replaceInView({ line, isJson, strings, viewStarts }: LineView, replacements: Replacement[]): string {
  const parts: string[] = []
  let at = 0
  strings.forEach(({ start, end, text }, nth) => {
    const viewStart = viewStarts[nth] ?? 0
    const own = replacements.filter((one) => one.start < viewStart + text.length && one.end > viewStart)
    if (own.length === 0) return
    const replaced = replaceIn(
      text,
      own.map((one) => ({ ...one, start: Math.max(0, one.start - viewStart), end: Math.min(text.length, one.end - viewStart) })),
    )
    parts.push(line.slice(at, start), isJson ? JSON.stringify(replaced).slice(1, -1) : replaced)
    at = end
  })
  return parts.join('') + line.slice(at)
}

function replaceIn(text: string, replacements: Replacement[]): string {
  let replaced = ''
  let at = 0
  for (const { start, end, by } of replacements) {
    replaced += text.slice(at, start) + by
    at = end
  }
  return replaced + text.slice(at)
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function readStrings(line: string): JsonString[] {
  const strings: JsonString[] = []
  for (let open = line.indexOf('"'); open >= 0; ) {
    const end = findEnd(line, open + 1)
    const raw = line.slice(open + 1, end)
    strings.push({ start: open + 1, end, text: raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw })
    open = line.indexOf('"', end + 1)
  }
  return strings
}

/** Where a string ends: at a quote with an even number of backslashes before it. */
function findEnd(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 1)) {
    let first = at
    while (first > from && line[first - 1] === '\\') first -= 1
    if ((at - first) % 2 === 0) return at
  }
  return line.length
}
