import { yieldIfDue } from '../cooperative.ts'
import { decodeEscapes, hasEscapes, toEscapedPlaces } from './detector/decode.ts'
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
