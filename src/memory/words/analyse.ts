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

/** Room to gather codes in; nothing stays in it. */
let room = new Uint32Array(1 << 10)

/** What search keeps of a text. Never throws; the same text always gives the same. */
export function analyse(text: string): Analysed {
  const { pieces, language } = read(text)
  const indexed: string[] = []
  let count = 0
  let length = 0
  for (const piece of pieces) {
    const form = formOf(piece, language)
    const { codes } = form
    if (room.length < count + codes.length) room = grow(room, count + codes.length)
    for (let at = 0; at < codes.length; at++) room[count++] = codes[at] ?? 0
    length += form.length
    indexed.push(form.indexed)
  }
  return { terms: indexed.join(' '), language, length: length || 1, codes: room.slice(0, count) }
}

function grow(numbers: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(2 * numbers.length, least))
  larger.set(numbers)
  return larger
}
