import { yieldIfDue } from '../cooperative.ts'
import { findStringEnd } from '../jsonrpc.ts'
import { parseJsonLine } from '../transcripts/parse-line.ts'
import { replaceSpans } from './spans.ts'

/**
 * A string of a line of JSON: where it stands between its quotes, what it says, and where that begins in the line's
 * view.
 */
type JsonString = { start: number; end: number; text: string; viewStart: number }

/**
 * A line of JSON as a person reads it: its strings are decoded, and those of several lines have line breaks in place of
 * quotes; the rest is unchanged. A line that is not JSON, or has very many values, is one string without quotes.
 */
type LineView = { line: string; isJson: boolean; text: string; strings: JsonString[] }

/** A part of a text, in UTF-16 units, and what is to stand in its place. */
type Replacement = { start: number; end: number; by: string }

/** UTF-16 units of a line whose strings are read at a time: some tenths of a millisecond. */
const BATCH_LENGTH = 65_536

/** Takes linear time, and yields to the event loop. */
export async function viewLine(line: string): Promise<LineView> {
  const isJson = parseJsonLine(line) !== undefined
  await yieldIfDue()
  if (!isJson)
    return { line, isJson: false, text: line, strings: [{ start: 0, end: line.length, text: line, viewStart: 0 }] }
  const strings = await readStrings(line)
  const text = replaceSpans(line, strings.map(withQuotes), ({ by }) => by)
  return { line, isJson: true, text, strings }
}

/**
 * The line with parts of its view replaced. A part that spans several strings is replaced in each; what stands between
 * strings remains. `replacements` are in their order and do not overlap.
 */
export function replaceInView({ line, isJson, strings }: LineView, replacements: Replacement[]): string {
  const parts: string[] = []
  let at = 0
  let first = 0
  for (const { start, end, text, viewStart } of strings) {
    const viewEnd = viewStart + text.length
    while ((replacements[first]?.end ?? Number.POSITIVE_INFINITY) <= viewStart) first += 1
    const own: Replacement[] = []
    for (let nth = first; (replacements[nth]?.start ?? Number.POSITIVE_INFINITY) < viewEnd; nth++) {
      const one = replacements[nth]
      if (one !== undefined)
        own.push({ ...one, start: Math.max(0, one.start - viewStart), end: Math.min(text.length, one.end - viewStart) })
    }
    if (own.length === 0) continue
    const replaced = replaceSpans(text, own, ({ by }) => by)
    parts.push(line.slice(at, start), isJson ? JSON.stringify(replaced).slice(1, -1) : replaced)
    at = end
  }
  return parts.join('') + line.slice(at)
}

/**
 * A string with its quotes. Those of several lines become ends of lines, so that what stands in the first and the last
 * is read as it was in its file.
 */
function withQuotes({ start, end, text }: JsonString): Replacement {
  const quote = text.includes('\n') ? '\n' : '"'
  return { start: start - 1, end: end + 1, by: quote + text + quote }
}

async function readStrings(line: string): Promise<JsonString[]> {
  const strings: JsonString[] = []
  /** By how much places of the view differ from those of the line. */
  let shift = 0
  let handled = 0
  for (let open = line.indexOf('"'); open >= 0; ) {
    const end = findStringEnd(line, open + 1)
    const raw = line.slice(open + 1, end)
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
    strings.push({ start: open + 1, end, text, viewStart: open + 1 + shift })
    if (end - handled >= BATCH_LENGTH) {
      handled = end
      await yieldIfDue()
    }
    shift += text.length - raw.length
    open = line.indexOf('"', end + 1)
  }
  return strings
}
