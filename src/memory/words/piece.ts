import { hashOf } from './hash.ts'
import { evidenceOf } from './language.ts'
import { createMemo } from './memo.ts'
import { ROLES } from './script.ts'
import { spell } from './spell.ts'
import type { Language } from './stop.ts'
import type { Word } from './word.ts'

/** What one run of a text becomes in one language: ready to be strung together. */
export type Form = {
  /** Terms for the index, with spaces between them; empty where there are none. */
  indexed: string
  /** For the exact scoring: hash of the term, hash of the surface form, and so on. */
  codes: number[]
  /** What the run adds to the length of a text, in words. */
  length: number
}

/** One run of a text: what languages it speaks for, and its form in each language asked for so far. */
export type Piece = { run: string; role: number; evidence: number; forms: Partial<Record<Language, Form>> }

/** Longer runs are rare and would fill the memory of pieces with text nobody repeats. */
const LONGEST_KEPT = 32
/** Pieces remembered. */
const KEPT = 16_000

const memos = ROLES.map((role) => createMemo(KEPT, (run) => toPiece(run, role)))

/** The piece of a run; remembered, because texts repeat their words. */
export function pieceOf(run: string, role: number): Piece {
  return (run.length <= LONGEST_KEPT ? memos[role]?.(run) : undefined) ?? toPiece(run, role)
}

/** The words of a piece in a language. */
export function wordsOf(piece: Piece, language: Language): Word[] {
  return spell(piece.run, piece.role, language)
}

/** The form of a piece in a language. */
export function formOf(piece: Piece, language: Language): Form {
  const found = piece.forms[language]
  if (found !== undefined) return found
  const form = toForm(wordsOf(piece, language))
  piece.forms[language] = form
  return form
}

function toPiece(run: string, role: number): Piece {
  return { run, role, evidence: evidenceOf(run), forms: {} }
}

function toForm(words: Word[]): Form {
  const scored = words.filter((word) => word.kind !== 'tail')
  const indexed = words.filter((word) => word.kind !== 'single')
  return {
    indexed: indexed.map((word) => word.term).join(' '),
    codes: scored.flatMap((word) => [hashOf(word.term), hashOf(word.surface)]),
    length: words.filter((word) => word.kind === 'word' || word.kind === 'part' || word.kind === 'gram').length,
  }
}
