import { yieldIfDue } from '../cooperative.ts'
import { findStringEnd } from '../jsonrpc.ts'
import { parseJsonLine } from '../transcripts/parse-line.ts'
import { type Credential, findCredentials } from './credentials.ts'
import { replaceSpans } from './spans.ts'

/**
 * A string of a line of JSON, or a number, which may be a password: where it stands, a string between its quotes; what
 * it says, and where that begins in the line's view.
 */
type JsonString = { start: number; end: number; text: string; viewStart: number; isNumber?: true }

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
async function viewLine(line: string): Promise<LineView> {
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
function replaceInView({ line, isJson, strings }: LineView, replacements: Replacement[]): string {
  const parts: string[] = []
  let at = 0
  let first = 0
  for (const { start, end, text, viewStart, isNumber } of strings) {
    const viewEnd = viewStart + text.length
    while ((replacements[first]?.end ?? Number.POSITIVE_INFINITY) <= viewStart) first += 1
    const own: Replacement[] = []
    for (let nth = first; (replacements[nth]?.start ?? Number.POSITIVE_INFINITY) < viewEnd; nth++) {
      const one = replacements[nth]
      if (one !== undefined)
        own.push({ ...one, start: Math.max(0, one.start - viewStart), end: Math.min(text.length, one.end - viewStart) })
    }
    if (own.length === 0) continue
    const replaced = replaceSpans(text, own, (one) => (isNumber ? one.by : quoteNumber(text, one)))
    const json = JSON.stringify(replaced)
    parts.push(line.slice(at, start), isNumber ? json : isJson ? json.slice(1, -1) : replaced)
    at = end
  }
  return parts.join('') + line.slice(at)
}

/**
 * A string with its quotes. Those of several lines become ends of lines, so that what stands in the first and the last
 * is read as it was in its file.
 */
function withQuotes({ start, end, text, isNumber }: JsonString): Replacement {
  if (isNumber) return { start, end, by: text }
  const quote = text.includes('\n') ? '\n' : '"'
  return { start: start - 1, end: end + 1, by: quote + text + quote }
}

/** Numbers that are long enough for a password. */
const NUMBER = /-?\d[\d.eE+-]{3,}/g
const WHOLE_NUMBER = new RegExp(`^${NUMBER.source}$`)
/** The end of a name in JSON, before its value, at up to five levels of escapes. */
const NAME_END = /(\\{0,31}")\s{0,8}:\s{0,8}$/
const MAX_NAME_END_LENGTH = 64

/** What takes the place of a part of a text. JSON in the text stays JSON: in place of a number stands a string. */
function quoteNumber(text: string, { start, end, by }: Replacement): string {
  const [, quote = ''] = NAME_END.exec(text.slice(Math.max(0, start - MAX_NAME_END_LENGTH), start)) ?? []
  return WHOLE_NUMBER.test(text.slice(start, end)) ? quote + by + quote : by
}

async function readStrings(line: string): Promise<JsonString[]> {
  const strings: JsonString[] = []
  /** By how much places of the view differ from those of the line. */
  let shift = 0
  let handled = 0
  const addNumbers = (from: number, to: number) => {
    for (const { index, 0: text } of line.slice(from, to).matchAll(NUMBER)) {
      const start = from + index
      strings.push({ start, end: start + text.length, text, viewStart: start + shift, isNumber: true })
    }
  }
  let last = 0
  for (let open = line.indexOf('"'); open >= 0; ) {
    addNumbers(last, open)
    const end = findStringEnd(line, open + 1)
    const raw = line.slice(open + 1, end)
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
    strings.push({ start: open + 1, end, text, viewStart: open + 1 + shift })
    if (end - handled >= BATCH_LENGTH) {
      handled = end
      await yieldIfDue()
    }
    shift += text.length - raw.length
    last = end + 1
    open = line.indexOf('"', last)
  }
  addNumbers(last, line.length)
  return strings
}

/** A line without its credentials, and the number removed by each rule. */
export type Redacted = { line: string; counts: Record<string, number> }

/** Longest line that is taken, in UTF-16 units. */
export const MAX_LINE_LENGTH = 16 * 2 ** 20

/** A later pass finds what an earlier one leaves, such as a token beside the mask of another. */
const MAX_PASSES = 6
/** In a line with more, which no session writes, every string is replaced as a whole. */
const MAX_CREDENTIALS = 5_000
const MASK_OF_ALL = '[REDACTED:line]'
const MASK = /^\[REDACTED:[a-z0-9-]+\]$/

/** `redactLine` for each of many lines. */
export async function redactLines(lines: string[]): Promise<Redacted[]> {
  if (lines.some(({ length }) => length > MAX_LINE_LENGTH))
    throw new RangeError('a line is too long to be searched for credentials')
  const redacted: Redacted[] = []
  for (const line of lines) {
    await yieldIfDue()
    redacted.push(await redactLine(line))
  }
  return redacted
}

/**
 * Replaces credentials in a line of JSON by `[REDACTED:<kind>]`. Its strings are searched as decoded, at each level if
 * they contain JSON or escapes themselves, and across the ends of neighbouring strings. A line that is not JSON is
 * treated as text. A line without credentials is returned unchanged, byte for byte, and redacting a line again changes
 * nothing. Yields to the event loop.
 *
 * @throws if the line is longer than MAX_LINE_LENGTH. It must then not be sent or kept.
 */
export async function redactLine(line: string): Promise<Redacted> {
  if (line.length > MAX_LINE_LENGTH) throw new RangeError('a line is too long to be searched for credentials')
  const redacted: Redacted = { line, counts: {} }
  for (let pass = 0; pass <= MAX_PASSES && (await redactOnce(redacted, pass === MAX_PASSES)); pass++);
  return redacted
}

/** What an assistant notes of a session beside its lines, such as the folder, whose names may contain a token. */
type SessionNotes = {
  cwd?: string | null | undefined
  gitBranch?: string | null | undefined
  appVersion?: string | null | undefined
}

const NOTES = ['cwd', 'gitBranch', 'appVersion'] as const

/** The same for the folder, branch and version of sessions. @throws as `redactLines`. */
export async function redactNotes<Session extends SessionNotes>(sessions: Session[]): Promise<Session[]> {
  const redacted = await redactLines(sessions.flatMap((session) => NOTES.map((name) => session[name] ?? '')))
  return sessions.map((session, nth) => {
    const notes = NOTES.filter((name) => session[name]).map((name) => [
      name,
      redacted[nth * NOTES.length + NOTES.indexOf(name)]?.line,
    ])
    return { ...session, ...Object.fromEntries(notes) }
  })
}

/**
 * Replaces what a search finds; if that is too much, or with `isLast`, every string of the line. Returns whether
 * anything was replaced.
 */
async function redactOnce(redacted: Redacted, isLast: boolean): Promise<boolean> {
  const view = await viewLine(redacted.line)
  const found = (await findCredentials(view.text)).filter(({ start, end }) => !MASK.test(view.text.slice(start, end)))
  const [first] = found
  if (first === undefined) return false
  const isWhole = isLast || found.length > MAX_CREDENTIALS
  const whole = [{ start: 0, end: view.text.length, by: MASK_OF_ALL }]
  const line = replaceInView(view, isWhole ? whole : found.map((one) => ({ ...one, by: `[REDACTED:${toRule(one)}]` })))
  if (line === redacted.line) return false
  redacted.line = line
  for (const one of isWhole ? [first] : found) redacted.counts[toRule(one)] = (redacted.counts[toRule(one)] ?? 0) + 1
  return true
}

const toRule = ({ kind }: Credential) => kind.toLowerCase().replace(/[^a-z0-9]+/g, '-')
