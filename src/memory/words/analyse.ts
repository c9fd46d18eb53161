import { formOf } from './piece.ts'
import { read } from './read.ts'
import type { Language } from './stop.ts'

/** Names the rules by which texts become terms. A change of the rules, a list or a stemmer takes the next number, and indexes are rebuilt. */
export const RULES = 1

/** What the index keeps of a text. */
export type Analysed = {
  /** Terms as one string with a space between them: letters, digits, marks and pictures only, lower case. */
  terms: string
  language: Language
  /** Length in words; a script without spaces counts its pairs or triples of characters. At least 1. */
  length: number
}

/** The terms of a text for the index. Never throws; the same text always gives the same terms. */
export function analyse(text: string): Analysed {
  const { pieces, language } = read(text)
  const terms: string[] = []
  let length = 0
  for (const piece of pieces) {
    const form = formOf(piece, language)
    terms.push(form.indexed)
    length += form.length
  }
  return { terms: terms.join(' '), language, length: length || 1 }
}

/** The same text for the exact scoring: a hash of each term and, behind it, of the surface form it had. In the order of the text. */
export function toCodes(text: string): Uint32Array {
  const { pieces, language } = read(text)
  const codes: number[] = []
  for (const piece of pieces) for (const code of formOf(piece, language).codes) codes.push(code)
  return Uint32Array.from(codes)
}
