import { yieldIfDue } from '../cooperative.ts'
import { type Credential, eachOfForm, FORMS } from './credential-forms.ts'
import { findVendorTokensInAll } from './find-in-all.ts'
import { type LineView, type Replacement, replaceInView, viewLine } from './json-strings.ts'
import { REDACTION_FORMS } from './redaction-forms.ts'
import { sha256Hex } from './secret.ts'
import { toEscapedPlaces, unescapeOnce } from './unescape.ts'
import { WINDOW_LENGTH } from './vendor-credentials.ts'

/** A line without its credentials, and the number removed by each rule. */
export type Redacted = { line: string; counts: Record<string, number> }

/** Longest line that is taken, in UTF-16 units. */
export const MAX_LINE_LENGTH = 16 * 2 ** 20

/** Version of the preset of secretlint, as `package.json` has it. */
export const PRESET_VERSION = '13.0.7'
/** Names the rules. What was redacted by older ones may be read and sent anew. */
export const RULES_VERSION = `${PRESET_VERSION}-${sha256Hex([...FORMS, ...REDACTION_FORMS].map(({ kind, pattern }) => kind + pattern.source).join('\n')).slice(0, 8)}`

/** JSON within JSON within JSON: a call's arguments that hold a body that holds a document. */
const MAX_LEVELS = 4
/** A later pass finds what an earlier one leaves, such as a token within the mask of another. */
const MAX_PASSES = 6

/** `redactLines` for one line. */
export async function redactLine(line: string): Promise<Redacted> {
  const [redacted] = await redactLines([line])
  if (redacted === undefined) throw new Error('a line was lost')
  return redacted
}

/**
 * Replaces credentials of known form in lines of JSON by `[REDACTED:<rule>]`. Strings are searched as decoded, at each level if they contain JSON or escapes
 * themselves, and across the ends of neighbouring strings. Lines that are not JSON are treated as text. A line without credentials is returned unchanged,
 * byte for byte. A line's result does not depend on other lines, and redacting it again changes nothing.
 *
 * Takes one second of CPU for 20 MB of ordinary lines with windows of 64 KiB, or for 10 MB with the default, which keeps turns of the event loop short
 * whatever the text.
 *
 * @throws if a line is longer than MAX_LINE_LENGTH, or cannot be searched. It must then not be sent or kept.
 */
export async function redactLines(lines: string[], windowLength = WINDOW_LENGTH): Promise<Redacted[]> {
  if (lines.some(({ length }) => length > MAX_LINE_LENGTH)) throw new RangeError('a line is too long to be searched for credentials')
  const redacted: Redacted[] = lines.map((line) => ({ line, counts: {} }))
  let open = redacted
  for (let pass = 0; open.length > 0; pass++) open = await redactOnce(open, windowLength, pass === MAX_PASSES)
  return redacted
}

/** What an assistant notes of a session beside its lines, such as the folder, whose names may contain a token. */
type SessionNotes = { cwd?: string | null | undefined; gitBranch?: string | null | undefined; appVersion?: string | null | undefined }

const NOTES = ['cwd', 'gitBranch', 'appVersion'] as const

/** The same for the folder, branch and version of sessions. @throws as `redactLines`. */
export async function redactNotes<Session extends SessionNotes>(sessions: Session[]): Promise<Session[]> {
  const redacted = await redactLines(sessions.flatMap((session) => NOTES.map((name) => session[name] ?? '')))
  return sessions.map((session, nth) => {
    const notes = NOTES.filter((name) => session[name]).map((name) => [name, redacted[nth * NOTES.length + NOTES.indexOf(name)]?.line])
    return { ...session, ...Object.fromEntries(notes) }
  })
}

/** Redacts each line once. Returns those that had something, to be searched again; with `isLast`, strings that still have something are taken out whole. */
async function redactOnce(open: Redacted[], windowLength: number, isLast: boolean): Promise<Redacted[]> {
  const views: LineView[] = []
  for (const { line } of open) {
    await yieldIfDue()
    views.push(await viewLine(line))
  }
  const found = await findInViews(views, windowLength)
  const again: Redacted[] = []
  for (const [nth, one] of open.entries()) {
    const view = views[nth]
    if (view === undefined) continue
    await yieldIfDue()
    const credentials = found[nth] ?? []
    const isWhole = isLast || credentials.length > MAX_CREDENTIALS
    const replacements = toReplacements(view, isWhole ? credentials.slice(0, 1) : credentials)
    if (replacements.length === 0) continue
    const line = replaceInView(view, isWhole ? [{ start: 0, end: view.text.length, by: MASK_OF_ALL }] : replacements)
    if (line === one.line) continue
    one.line = line
    for (const { rule } of replacements) one.counts[rule] = (one.counts[rule] ?? 0) + 1
    if (!isLast) again.push(one)
  }
  return again
}

/** Of a line that has more, which no session writes, each string is taken out whole. */
const MAX_CREDENTIALS = 5_000
const MASK_OF_ALL = '[REDACTED:line]'
const MASK = /^\[REDACTED:[a-z0-9-]+\]$/

/** Credentials that overlap are one, named by the first. What is a mask already is none. */
function toReplacements({ text }: LineView, credentials: Credential[]): (Replacement & { rule: string })[] {
  const merged: Credential[] = []
  for (const one of credentials.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (one.end <= one.start || MASK.test(text.slice(one.start, one.end))) continue
    if (last === undefined || one.start >= last.end) merged.push({ ...one })
    else last.end = Math.max(last.end, one.end)
  }
  return merged.map(({ kind, start, end }) => {
    const rule = kind.replaceAll(' ', '-').toLowerCase()
    return { start, end, rule, by: `[REDACTED:${rule}]` }
  })
}

/** A text to be searched: the view of a line, or a string of it without so many levels of escapes. */
type Searched = {
  view: number
  text: string
  /** Where a place of it, or of what it was made of, is in the view: `start` of the string, and the texts of all levels before this one. */
  start: number
  levels: string[]
}

async function findInViews(views: LineView[], windowLength: number): Promise<Credential[][]> {
  const searched: Searched[] = []
  for (const [nth, view] of views.entries()) searched.push(...(await toSearched(view, nth)))
  const found = await findVendorTokensInAll(
    searched.map(({ text }) => text),
    windowLength,
  )
  const ofViews: Credential[][] = views.map(() => [])
  for (const [nth, one] of searched.entries()) {
    const ofView = ofViews[one.view]
    if (ofView === undefined || ofView.length > MAX_CREDENTIALS) continue
    const credentials = [...(await findFormedInSlices(one.text)), ...(found[nth] ?? [])].slice(0, MAX_CREDENTIALS + 1)
    ofView.push(...(await toView(one, credentials)))
  }
  return ofViews
}

/** The view itself, and every string of it that has escapes, at each level. */
async function toSearched({ text, strings }: LineView, view: number): Promise<Searched[]> {
  const searched: Searched[] = [{ view, text, start: 0, levels: [] }]
  for (const string of strings) {
    const levels: string[] = []
    for (let escaped = string.text; levels.length < MAX_LEVELS && escaped.includes('\\'); ) {
      const unescaped = await unescapeOnce(escaped)
      if (unescaped === undefined) break
      levels.push(escaped)
      searched.push({ view, text: unescaped, start: string.viewStart, levels: [...levels] })
      escaped = unescaped
    }
  }
  return searched
}

/** The same credentials by their places in the view. */
async function toView({ start, levels }: Searched, credentials: Credential[]): Promise<Credential[]> {
  if (credentials.length === 0) return []
  const given = [...new Set(credentials.flatMap((one) => [one.start, one.end]))].sort((a, b) => a - b)
  let places = given
  for (const escaped of levels.toReversed()) places = await toEscapedPlaces(escaped, places)
  const toPlace = new Map(given.map((place, nth) => [place, start + (places[nth] ?? 0)]))
  return credentials.map((one) => ({ kind: one.kind, start: toPlace.get(one.start) ?? 0, end: toPlace.get(one.end) ?? 0 }))
}

/** A search for one form takes linear time; what is found is judged in slices. */
async function findFormedInSlices(text: string): Promise<Credential[]> {
  const found: Credential[] = []
  for (const form of [...FORMS, ...REDACTION_FORMS]) {
    await yieldIfDue()
    for (const one of eachOfForm(form, text)) {
      await yieldIfDue()
      if (one !== undefined) found.push(one)
    }
  }
  return found
}
