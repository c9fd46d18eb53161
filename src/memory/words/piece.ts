import { toCode } from './hash.ts'
import { evidenceOf } from './language.ts'
import { createRunTable } from './run-table.ts'
import { ROLES } from './script.ts'
import { spell } from './spell.ts'
import type { Language } from './stop.ts'
import type { Word } from './word.ts'

/** What one run of a text becomes in one language: ready to be strung together. */
export type Form = {
  /** Terms for the index, with spaces between them; empty where there are none. */
  indexed: string
  /** For the exact scoring. */
  codes: number[]
  /** What the run adds to the length of a text, in words. */
  length: number
}

/** One run of a text: what languages it speaks for, and its form in the language last asked for. There are tens of thousands of them. */
export type Piece = {
  run: string
  role: number
  evidence: number
  language: Language | undefined
  form: Form | undefined
  /** Kept only of what questions ask for. */
  words: Partial<Record<Language, Word[]>> | undefined
}

/** Longer runs are rare and would fill the memory of pieces with text nobody repeats. */
const LONGEST_KEPT = 32
/** Pieces remembered for each role. */
const KEPT = 1 << 14

const tables = ROLES.map((role) => createRunTable(KEPT, (run) => toPiece(run, role)))

/** The piece of a text from `start` up to `end`; remembered, because texts repeat their words. */
export function pieceAt(text: string, start: number, end: number, role: number): Piece {
  const table = end - start > LONGEST_KEPT ? undefined : tables[role]
  return table?.at(text, start, end) ?? toPiece(text.slice(start, end), role)
}

/** The words of a piece in a language. */
export function wordsOf(piece: Piece, language: Language): Word[] {
  const found = piece.words?.[language]
  if (found !== undefined) return found
  const words = spell(piece.run, piece.role, language)
  piece.words ??= {}
  piece.words[language] = words
  return words
}

/** The form of a piece in a language. */
export function formOf(piece: Piece, language: Language): Form {
  if (piece.form !== undefined && piece.language === language) return piece.form
  const form = toForm(spell(piece.run, piece.role, language))
  piece.language = language
  piece.form = form
  return form
}

function toPiece(run: string, role: number): Piece {
  return { run, role, evidence: evidenceOf(run), language: undefined, form: undefined, words: undefined }
}

function toForm(words: Word[]): Form {
  const form: Form = { indexed: '', codes: [], length: 0 }
  for (const { term, surface, kind } of words) {
    if (kind !== 'single') form.indexed += form.indexed === '' ? term : ` ${term}`
    if (kind !== 'tail') form.codes.push(toCode(term, surface))
    if (kind === 'word' || kind === 'part' || kind === 'gram') form.length++
  }
  return form
}
