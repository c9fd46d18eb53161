import { yieldIfDue } from '../cooperative.ts'
import { RULES_TEXT, searchText } from './detector/search.ts'
import { sha256Hex } from './secret.ts'
import { replaceSpans, type Span } from './spans.ts'

/** A credential in a text: which kind it is, and where it stands, in UTF-16 units. */
export type Credential = Span

/** Identifies the rules. What was searched by earlier ones may be searched again. */
export const RULES_VERSION = sha256Hex(RULES_TEXT).slice(0, 8)

/** Escapes within escapes that are read: the arguments of a call that hold a body that holds a document. */
const MAX_LEVELS = 4

/**
 * UTF-16 units that are searched in one piece, which takes some milliseconds, and those at a seam, which both pieces
 * contain: more than a secret has together with what identifies it.
 */
const PIECE_LENGTH = 2 ** 19
const SEAM_LENGTH = 2 ** 16

/**
 * The credentials in a text, in its base64, and in what it says without its escapes: in their order, each whole, none
 * within another. Takes 2 ms for 64 KiB of prose, time linear in the text for any other, and yields to the event loop.
 */
export async function findCredentials(text: string): Promise<Credential[]> {
  return merge(await (text.length <= PIECE_LENGTH ? findInPiece(text) : findInPieces(text)))
}

async function findInPieces(text: string): Promise<Span[]> {
  const found: Span[] = []
  for (let from = 0; ; from += PIECE_LENGTH - 2 * SEAM_LENGTH) {
    const isLast = from + PIECE_LENGTH >= text.length
    // A secret that the cut separates from its name or its end is found in the other piece.
    const first = from === 0 ? 0 : from + SEAM_LENGTH
    const last = isLast ? text.length : from + PIECE_LENGTH - SEAM_LENGTH
    for (const { kind, ...at } of await findInPiece(text.slice(from, from + PIECE_LENGTH))) {
      const [start, end] = [from + at.start, from + at.end]
      if (end > first && start < last) found.push({ kind, start, end })
    }
    if (isLast) return found
    await yieldIfDue()
  }
}

/** What the first line of a patch begins with, or of a part of it. */
const PATCH = /^(?:.{0,200}["'])?(?:\*\*\* (?:Begin|Add|Update)|\+\+\+ |@@ )/m

/** A text without the plus signs in front of the lines that a patch adds. */
const withoutPlus = (text: string) =>
  text.includes('\n+') && PATCH.test(text) ? text.replace(/^\+(?!\+)/gm, ' ') : text

async function findInPiece(given: string): Promise<Span[]> {
  const text = withoutPlus(given)
  const found = await searchText(text)
  const levels = [text]
  while (levels.length <= MAX_LEVELS && hasEscapes(levels.at(-1) ?? '')) {
    const decoded = withoutPlus(await decodeEscapes(levels.at(-1) ?? ''))
    found.push(...(await toPlacesIn(levels, await searchText(decoded))))
    levels.push(decoded)
  }
  return found
}

/** Spans of a decoded text by their places in the first of the texts that it was decoded from, one after the other. */
async function toPlacesIn(escaped: string[], spans: Span[]): Promise<Span[]> {
  if (spans.length === 0) return []
  const given = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  let places = given
  for (const text of escaped.toReversed()) places = await toEscapedPlaces(text, places)
  const toPlace = new Map(given.map((place, nth) => [place, places[nth] ?? 0]))
  return spans.map(({ kind, start, end }) => ({ kind, start: toPlace.get(start) ?? 0, end: toPlace.get(end) ?? 0 }))
}

/** Kinds that say the least: what a name is assigned. */
const GENERIC = /^(?:password|secret)$/

/** Spans that overlap are one, of the kind that says most. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const one of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || one.start >= last.end) merged.push({ ...one })
    else {
      last.end = Math.max(last.end, one.end)
      if (GENERIC.test(last.kind)) last.kind = one.kind
    }
  }
  return merged
}

const MASK = '***'

/** The text with `***` in place of every credential. */
export async function maskCredentials(text: string): Promise<string> {
  return maskFound(text, await findCredentials(text))
}

/** The text with `***` in place of credentials that were found in it. */
export function maskFound(text: string, found: Credential[]): string {
  return replaceSpans(text, found, () => MASK)
}

/** Where a place of a text is for a person: its line, and its column in characters, both counted from 1. */
export function toLineAndColumn(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
}

/** Escapes of JSON, of URLs, and of HTML. */
const ESCAPE =
  /\\(?:u([0-9a-fA-F]{4})|(["'\\/bfnrt]))|%([0-9a-fA-F]{2})|&(?:(quot|apos|amp|lt|gt)|#(?:x([0-9a-fA-F]{2})|(\d{2})));/g
const NAMED: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
}

/** Whether a text has something to decode: most have not. */
const hasEscapes = (text: string) => text.search(ESCAPE) >= 0

/** Escapes that are handled at a time: some tenths of a millisecond. */
const BATCH_ESCAPES = 1_000

/**
 * A text without one level of escapes, of JSON, URLs and HTML. A backslash or percent sign that escapes nothing stays.
 * Takes linear time, and yields to the event loop.
 */
async function decodeEscapes(text: string): Promise<string> {
  let done = ''
  let parts: string[] = []
  let from = 0
  for (const match of text.matchAll(ESCAPE)) {
    const [whole, unit, letter = '', byte, entity = letter, hex = byte ?? unit, decimal] = match
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    parts.push(
      text.slice(from, match.index),
      Number.isNaN(code) ? (NAMED[entity] ?? entity) : String.fromCharCode(code),
    )
    from = match.index + whole.length
    if (parts.length < BATCH_ESCAPES) continue
    done += parts.join('')
    parts = []
    await yieldIfDue()
  }
  return done + parts.join('') + text.slice(from)
}

/**
 * Where places of the decoded text are in the escaped one. Places are in ascending order, and so is what is returned.
 * Takes linear time, and yields to the event loop.
 */
async function toEscapedPlaces(text: string, places: number[]): Promise<number[]> {
  const found: number[] = []
  let shift = 0
  let handled = 0
  for (const { index, 0: whole } of text.matchAll(ESCAPE)) {
    for (let place = places[found.length]; place !== undefined && place + shift <= index; place = places[found.length])
      found.push(place + shift)
    if (found.length === places.length) return found
    shift += whole.length - 1
    if (++handled % BATCH_ESCAPES === 0) await yieldIfDue()
  }
  return [...found, ...places.slice(found.length).map((place) => place + shift)]
}
