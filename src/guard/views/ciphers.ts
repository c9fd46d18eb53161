import { countEnglish } from './english.ts'

/** UTF-16 units at the beginning of a text by which a cipher is recognized. */
const SAMPLE_LENGTH = 400

/**
 * What a deciphered sample must have of everyday English: with so many ciphers some words come about by chance, above
 * all in short texts of other languages.
 */
const MIN_KNOWN_WORDS = 4
const MIN_KNOWN_SHARE = 0.5

type Substitute = (piece: string) => string

/** The Caesar ciphers (rot13 is one), Atbash, and rot47: each puts one letter or sign for another. */
const CIPHERS: Substitute[] = [
  ...Array.from(
    { length: 25 },
    (_, at): Substitute =>
      (piece) =>
        piece.replace(/[a-z]/gi, (letter) => shiftLetter(letter, at + 1)),
  ),
  (piece) => piece.replace(/[a-z]/gi, mirrorLetter),
  (piece) => piece.replace(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33)),
]

/**
 * The text deciphered by the cipher under which its beginning has most English words; undefined if that is no English.
 */
export function decipher(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH)
  let best: Substitute | undefined
  let mostKnown = 0
  for (const substitute of CIPHERS) {
    const plain = substitute(sample).toLowerCase()
    const { known, all } = countEnglish(plain)
    if (known <= mostKnown || known < MIN_KNOWN_WORDS || known < all * MIN_KNOWN_SHARE) continue
    mostKnown = known
    best = substitute
  }
  return best?.(text)
}

function shiftLetter(letter: string, by: number): string {
  const first = letter < 'a' ? 65 : 97
  return String.fromCharCode(first + ((letter.charCodeAt(0) - first + by) % 26))
}

function mirrorLetter(letter: string): string {
  const first = letter < 'a' ? 65 : 97
  return String.fromCharCode(first + 25 - (letter.charCodeAt(0) - first))
}
