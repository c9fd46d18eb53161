import { formOf } from './piece.ts'
import { read } from './read.ts'
import type { Language } from './stop.ts'

/** Names the rules by which texts become terms. A change of the rules, a list or a stemmer takes the next number, and indexes are rebuilt. */
export const RULES = 1

/** What is kept of a text for search. */
export type Analysed = {
  /** Terms as one string with a space between them: letters, digits, marks and pictures only, lower case. */
  terms: string
  language: Language
  /** Length in words; a script without spaces counts its pairs or triples of characters. At least 1. */
  length: number
  /** A code for each word, in the order of the text. */
  codes: Uint32Array
}

/** What search keeps of a text. Never throws; the same text always gives the same. */
export function analyse(text: string): Analysed {
  const { pieces, language } = read(text)
  const indexed: string[] = []
  const codes: number[] = []
  let length = 0
  for (const piece of pieces) {
    const form = formOf(piece, language)
    indexed.push(form.indexed)
    for (const code of form.codes) codes.push(code)
    length += form.length
  }
  return { terms: indexed.join(' '), language, length: length || 1, codes: new Uint32Array(codes) }
}
