import { yieldIfDue } from '../cooperative.ts'
import { type Credential, findCredentials } from './credentials.ts'
import { replaceInView, viewLine } from './json-strings.ts'

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
