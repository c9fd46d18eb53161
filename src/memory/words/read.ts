import { guessLanguage } from './language.ts'
import { type Piece, pieceAt } from './piece.ts'
import { BREAK, JOINT, PICTURE, roleOf, WORD } from './script.ts'
import type { Language } from './stop.ts'

/** A text as the runs that become terms, and the language its Latin script is read in. */
export type Reading = { pieces: Piece[]; language: Language }

/** Joiners, direction marks and soft hyphens are not seen by a reader, and must not cut a word. */
const INVISIBLE = /[\u00ad\u200c-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** A long run without spaces is taken in slices, so that no step ever sees a million characters. */
const LONGEST_RUN = 256
/** `1,000` is the number 1000. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g

/** Reads any text: never throws, and takes time in proportion to its length. */
export function read(text: string): Reading {
  const pieces = toPieces(normalise(text))
  return { pieces, language: guessLanguage(pieces) }
}

function normalise(text: string): string {
  const plain = isAscii(text) ? text : text.toWellFormed().normalize('NFKC').replace(INVISIBLE, '')
  return plain.includes(',') ? plain.replace(THOUSANDS, '') : plain
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

function toPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let role = BREAK
  for (let at = 0; at <= text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0
    const next = at < text.length ? roleOf(codePoint) : BREAK
    if (!continues(role, next) || at - start >= LONGEST_RUN) {
      if (role !== BREAK && role !== JOINT) pieces.push(toPiece(text, start, at, role))
      start = at
      role = next
    }
    at += codePoint > 0xffff ? 2 : 1
  }
  return pieces
}

/** Joints belong to the word before them. */
function continues(role: number, next: number): boolean {
  if (role === WORD) return next === WORD || next === JOINT
  return role === next && role !== PICTURE
}

/** Joints at the end of a word are punctuation, but for those of `C++` and `C#`. */
function toPiece(text: string, start: number, end: number, role: number): Piece {
  if (role !== WORD) return pieceAt(text, start, end, role)
  let last = end
  while (last > start && roleOf(text.charCodeAt(last - 1)) === JOINT) last--
  if (last - start > 1 || last === end) return pieceAt(text, start, last, role)
  if (text.startsWith('++', last)) return pieceAt(text, start, last + 2, role)
  return pieceAt(text, start, text[last] === '#' ? last + 1 : last, role)
}
